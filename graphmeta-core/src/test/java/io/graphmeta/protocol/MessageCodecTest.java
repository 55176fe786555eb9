package io.graphmeta.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.storage.Family;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Messages come back from their bytes as they were, and bytes that are none are refused. The seed
 * of a failure is in its message; {@code -Dgraphmeta.seed=N} replays it.
 */
final class MessageCodecTest {
  /** How many messages of each kind; more with {@code -Dgraphmeta.sequences=N}. */
  private static final int MESSAGES = Integer.getInteger("graphmeta.sequences", 100);

  private static final int LIMIT = 8 << 20;
  private static final MessageCodec CODEC = new MessageCodec(LIMIT);
  private static final Set<ErrorCode> REFUSALS =
      Set.of(ErrorCode.CORRUPTION, ErrorCode.NEWER_FORMAT, ErrorCode.LIMIT_EXCEEDED);

  /** By the number in the message. These numbers are sent: they never change. */
  private static final List<String> KINDS =
      List.of(
          "1 Snapshot",
          "2 FindVertices",
          "3 FindEdges",
          "4 ReadVertices",
          "5 ReadEdges",
          "6 Expand",
          "7 ScanVertices",
          "8 ScanEdges",
          "9 Incarnations",
          "10 ScanRows",
          "11 ProbeRows",
          "12 Commit",
          "13 Prepare",
          "14 Resolve",
          "15 Inquire",
          "16 ReadWatermark",
          "17 Lease",
          "18 Define",
          "19 ReadSchema",
          "20 ReadStatus",
          "21 Clear",
          "22 StartTraversal",
          "23 Deliver",
          "24 RunLevel",
          "25 FetchResults",
          "26 EndTraversal",
          "27 ExtendPaths",
          "28 FollowTraversal",
          "29 ReadSplits",
          "30 ReadHot",
          "31 GiveEntries",
          "32 TakeEntries",
          "33 EndMove",
          "34 HoldEntries",
          "35 FindConnected",
          "37 MeasureRows",
          "38 SearchVertices",
          "39 ReadIndexes",
          "40 CompareIndex",
          "41 SearchEdges",
          "42 SearchDuring",
          "43 TakeCheckpoint",
          "44 ListFiles",
          "45 ReadFile",
          "46 SumFile",
          "47 KeepCheckpoint",
          "48 ReadTerm",
          "49 HandOver",
          "50 ReadMembers",
          "51 ReadReplica",
          "52 ReadExpired",
          "53 NoteDropped",
          "54 DropRows",
          "55 EndDropping",
          "56 FollowerRead",
          "57 FollowerTraversal",
          "58 NoteSettled",
          "59 RequireRoom",
          "128 Elements",
          "129 Stamped",
          "130 Conflicted",
          "131 Prepared",
          "132 TooLow",
          "133 Done",
          "134 Parts",
          "135 Leased",
          "136 Schema",
          "137 Rows",
          "138 Status",
          "139 Results",
          "140 LevelDone",
          "141 Paths",
          "142 Progress",
          "143 Splits",
          "144 Hot",
          "145 Held",
          "146 RowSizes",
          "147 PartsDone",
          "148 Indexes",
          "149 ComparedIndex",
          "150 Files",
          "151 FileBytes",
          "152 FileSum",
          "153 Term",
          "154 Members",
          "155 ReplicaState");

  @Test
  void everyKindHasItsNumber() {
    TreeMap<Integer, String> kinds = new TreeMap<>();
    RequestForms.ALL.byNumber().forEach((n, form) -> kinds.put(n, form.type().getSimpleName()));
    ResponseForms.ALL.byNumber().forEach((n, form) -> kinds.put(n, form.type().getSimpleName()));
    assertThat(kinds.entrySet().stream().map(kind -> kind.getKey() + " " + kind.getValue()))
        .containsExactlyElementsOf(KINDS);
    assertThat(
            Stream.of(Request.class, Response.class)
                .flatMap(side -> Arrays.stream(side.getPermittedSubclasses()))
                .map(Class::getSimpleName))
        .containsExactlyInAnyOrderElementsOf(kinds.values());
  }

  @Test
  void sentOrdinalsStay() {
    assertThat(Arrays.toString(PartState.values())).isEqualTo("[COMMITTED, HELD, ABSENT, COVERED]");
    assertThat(Arrays.toString(Request.Detail.values()))
        .isEqualTo("[KEYS, PROPERTIES, BODIES, HISTORY]");
    assertThat(Arrays.toString(Request.SequenceKind.values()))
        .isEqualTo("[VERTEX_COUNTER, EDGE_SEQUENCE]");
  }

  @Test
  void formOfVersionOneStays() {
    byte[] resolve =
        CODEC.encodeCall(new Call(1, 300, new Request.Resolve(new TransactionId(2, 3, -1), true)));
    assertThat(resolve)
        .containsExactly(
            1, 14, 1, 0xac, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255,
            255, 255, 255, 255, 1);
    assertThat(CODEC.encodeAnswer(new Response.Parts(List.of(PartState.HELD, PartState.ABSENT))))
        .containsExactly(1, 134, 2, 1, 2);
  }

  @Test
  void messagesComeBackAsTheyWere() {
    forSeeds(
        MESSAGES,
        seed -> {
          RandomMessages random = new RandomMessages(seed);
          for (Class<?> kind : Request.class.getPermittedSubclasses()) {
            Call call = random.call(kind);
            Call decoded = CODEC.decodeCall(CODEC.encodeCall(call));
            assertThat(MessageText.of(decoded)).isEqualTo(MessageText.of(call));
          }
          for (Class<?> kind : Response.class.getPermittedSubclasses()) {
            Response answer = random.answer(kind);
            Response decoded = CODEC.decodeAnswer(CODEC.encodeAnswer(answer));
            assertThat(MessageText.of(decoded)).isEqualTo(MessageText.of(answer));
          }
        });
  }

  @Test
  void errorsKeepCodeAndMessage() {
    for (ErrorCode code : ErrorCode.values()) {
      byte[] answer = CODEC.encodeError(new GraphMetaException(code, "No such thing: \u00e9"));
      assertThatThrownBy(() -> CODEC.decodeAnswer(answer))
          .isInstanceOfSatisfying(
              GraphMetaException.class, error -> assertThat(error.code()).isEqualTo(code))
          .hasMessage("No such thing: \u00e9");
    }
  }

  @Test
  void longErrorsAreCut() {
    byte[] answer = CODEC.encodeError(GraphMetaException.invalid("x".repeat(10_000_000)));
    assertThat(answer).hasSizeBetween(1000, 20_000);
    assertThatThrownBy(() -> CODEC.decodeAnswer(answer)).hasMessageStartingWith("xxxx");
  }

  @Test
  void unknownErrorIsStillAnError() {
    byte[] answer =
        new ByteWriter(16)
            .putByte(MessageCodec.VERSION)
            .putByte(MessageCodec.ERROR)
            .putText("OF_TOMORROW")
            .putText("The sky is down")
            .toArray();
    assertThatThrownBy(() -> CODEC.decodeAnswer(answer))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContainingAll("OF_TOMORROW", "The sky is down");
  }

  @Test
  void everyTruncationIsRefused() {
    forSeeds(
        10,
        seed -> {
          forEachKind(
              new RandomMessages(seed),
              (bytes, decode) -> {
                int step = Math.max(1, bytes.length / 500);
                for (int length = bytes.length - 1; length >= 0; length -= step) {
                  byte[] cut = Arrays.copyOf(bytes, length);
                  assertThatThrownBy(() -> decode.accept(cut))
                      .as("%d of %d bytes of %s", length, bytes.length, kind(bytes))
                      .isInstanceOfSatisfying(
                          GraphMetaException.class,
                          error -> assertThat(REFUSALS).contains(error.code()));
                }
                byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
                assertThatThrownBy(() -> decode.accept(longer)).hasMessageContaining("behind");
              });
        });
  }

  @Test
  void changedBytesAreRefusedOrAMessage() {
    forSeeds(
        MESSAGES / 5,
        seed -> {
          Random random = new Random(seed);
          forEachKind(
              new RandomMessages(seed),
              (bytes, decode) -> {
                for (int i = 0; i < 30; i++) {
                  byte[] changed = bytes.clone();
                  for (int flips = random.nextInt(3); flips >= 0; flips--) {
                    changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
                  }
                  requireRefusedOrMessage(changed, decode);
                }
              });
        });
  }

  @Test
  void randomBytesAreRefusedOrAMessage() {
    forSeeds(
        50,
        seed -> {
          Random random = new Random(seed);
          for (int kind = 0; kind < 256; kind++) {
            byte[] bytes = new byte[2 + random.nextInt(100)];
            random.nextBytes(bytes);
            bytes[0] = MessageCodec.VERSION;
            bytes[1] = (byte) kind;
            requireRefusedOrMessage(bytes, MessageCodecTest::readCall);
            requireRefusedOrMessage(bytes, MessageCodecTest::readAnswer);
          }
        });
  }

  /** With 0xff in the place of each count, whatever it counts. */
  @Test
  void hugeCountsTakeNoMemory() {
    forSeeds(
        2,
        seed ->
            forEachKind(
                new RandomMessages(seed),
                (bytes, decode) -> {
                  for (int at = 2; at < Math.min(bytes.length, 200); at++) {
                    for (int last : new int[] {0x07, 0x0f}) {
                      byte[] changed = Arrays.copyOf(bytes, Math.max(bytes.length, at + 5));
                      Arrays.fill(changed, at, at + 4, (byte) 0xff);
                      changed[at + 4] = (byte) last;
                      requireRefusedOrMessage(changed, decode);
                    }
                  }
                }));
  }

  @Test
  void otherVersionsAreRefused() {
    byte[] call = CODEC.encodeCall(new Call(1, 1, new Request.ReadSchema()));
    call[0] = 2;
    assertRefused(call, ErrorCode.NEWER_FORMAT, "version 2; expected 1");
    call[0] = 0;
    assertRefused(call, ErrorCode.CORRUPTION, "version 0; expected 1");
    assertRefused(new byte[0], ErrorCode.CORRUPTION, "0 bytes");
  }

  @Test
  void unknownKindsAndAnswersInPlaceOfCallsAreRefused() {
    assertRefused(new byte[] {1, 0, 1, 1}, ErrorCode.CORRUPTION, "kind 0 is unknown");
    assertRefused(new byte[] {1, 127, 1, 1}, ErrorCode.CORRUPTION, "kind 127 is unknown");
    byte[] answer = CODEC.encodeAnswer(new Response.Stamped(0));
    assertRefused(answer, ErrorCode.CORRUPTION, "kind 129 is unknown");
    byte[] call = CODEC.encodeCall(new Call(1, 1, new Request.Snapshot(5)));
    assertThatThrownBy(() -> CODEC.decodeAnswer(call)).hasMessageContaining("kind 1 is unknown");
  }

  @Test
  void positionsBehindTheRequestAreRefused() {
    ReadView view = ReadView.at(5);
    Request read = new Request.ReadVertices(new long[] {1, 2}, view, Request.Detail.KEYS, 3);
    assertRefused(
        CODEC.encodeCall(new Call(1, 1, read)), ErrorCode.CORRUPTION, "Position 3 is not within");
    Request negative = new Request.ReadVertices(new long[] {1, 2}, view, Request.Detail.KEYS, -1);
    assertRefused(
        CODEC.encodeCall(new Call(1, 1, negative)),
        ErrorCode.CORRUPTION,
        "Position 4294967295 is not within");
  }

  @Test
  void viewsThatEndBeforeTheyBeginAreRefused() {
    Condition where = new Condition.HasKey("k");
    PlanNames names = new PlanNames(Map.of(), Map.of(), Map.of("k", 1));
    ViewSpan views = new ViewSpan(5, ReadView.at(5));
    byte[] call =
        CODEC.encodeCall(
            new Call(1, 1, new Request.SearchDuring(1, where, names, views, Position.START)));
    int from = indexOf(call, new byte[] {0, 0, 0, 0, 0, 0, 0, 5});
    call[from + 7] = 6;
    assertRefused(call, ErrorCode.CORRUPTION, "Views end at 5 before they begin at 6");
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    int at = 0;
    while (!Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
      at++;
    }
    return at;
  }

  @Test
  void messagesHaveALimit() {
    StagedRows rows = new StagedRows(0);
    byte[] value = new byte[1 << 20];
    for (int i = 0; i < 9; i++) {
      rows.add(Family.OUT, new byte[8], 0, value, value.length);
    }
    long[] none = new long[0];
    Call commit = new Call(1, 1, new Request.Commit(rows, 1, 1, 1, none, none));
    assertThatThrownBy(() -> CODEC.encodeCall(commit))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
        .hasMessageContaining("limit of " + LIMIT);
    byte[] encoded = new MessageCodec(2 * LIMIT).encodeCall(commit);
    assertRefused(encoded, ErrorCode.LIMIT_EXCEEDED, "limit of " + LIMIT);
    assertThat(new MessageCodec(2 * LIMIT).decodeCall(encoded).epoch()).isEqualTo(1);
  }

  private static void assertRefused(byte[] call, ErrorCode code, String message) {
    assertThatThrownBy(() -> CODEC.decodeCall(call))
        .isInstanceOfSatisfying(
            GraphMetaException.class, error -> assertThat(error.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private interface Message {
    void of(byte[] bytes, Consumer<byte[]> decode);
  }

  private static void forEachKind(RandomMessages random, Message action) {
    for (Class<?> kind : Request.class.getPermittedSubclasses()) {
      action.of(CODEC.encodeCall(random.call(kind)), MessageCodecTest::readCall);
    }
    for (Class<?> kind : Response.class.getPermittedSubclasses()) {
      action.of(CODEC.encodeAnswer(random.answer(kind)), MessageCodecTest::readAnswer);
    }
  }

  /** Reads a call and all that is in it. */
  private static void readCall(byte[] bytes) {
    assertThat(MessageText.of(CODEC.decodeCall(bytes))).isNotEmpty();
  }

  private static void readAnswer(byte[] bytes) {
    assertThat(MessageText.of(CODEC.decodeAnswer(bytes))).isNotEmpty();
  }

  /** Any other exception than the three refusals fails the test, and so does an error of the VM. */
  private static void requireRefusedOrMessage(byte[] bytes, Consumer<byte[]> decode) {
    try {
      decode.accept(bytes);
    } catch (GraphMetaException e) {
      if (bytes[1] != (byte) MessageCodec.ERROR) {
        assertThat(REFUSALS).as("%s: %s", kind(bytes), e.getMessage()).contains(e.code());
      }
    }
  }

  private static String kind(byte[] bytes) {
    return "kind " + (bytes[1] & 0xff);
  }

  private static void forSeeds(int count, LongConsumer test) {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? count : 1); seed++) {
      try {
        test.accept(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("Failed with seed; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }
}
