package io.graphmeta.router;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.PartState.Outcome;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions: on one shard with one message, over several in parallel.
 *
 * <p>Over several shards an attempt has one stamp and sends each shard its part. It is committed
 * when all have made their part durable, and aborted when one refuses, which is final. A stamp that
 * came too late is tried again above what the shard has closed; the new parts replace those of the
 * attempt that failed. When an answer is missing the shards are asked what they hold, which either
 * finds the outcome or makes it (parallel commits: Taft et al., CockroachDB, SIGMOD 2020, section
 * 3.1; without a record, since each part names all participants).
 *
 * <p>Safe for use by many threads; each call belongs to the thread that waits for it.
 */
final class CommitCoordinator {
  private static final int MAX_ATTEMPTS = 24;
  private static final int MAX_QUESTIONS = 3;
  private static final int MAX_RESENT = 2;

  /** How far ahead of the refusing shard a third attempt aims at least, and later ones at most. */
  private static final long FIRST_LEAD_MICROS = 10;

  private static final long MAX_LEAD_MICROS = 50_000;

  private final RequestSender shards;
  private final SeenStamp seen;
  private final ReadWriteLock closing;
  private final HybridClock clock;
  private final long client;
  private final StampLead lead;
  private final AtomicLong numbers = new AtomicLong();

  /**
   * Commits of a client.
   *
   * @param closing held while requests are sent that make shards close stamps
   * @param clock gives transactions over several shards their stamps
   * @param client a number that no other client has
   */
  CommitCoordinator(
      RequestSender shards, SeenStamp seen, ReadWriteLock closing, HybridClock clock, long client) {
    this.shards = shards;
    this.seen = seen;
    this.closing = closing;
    this.clock = clock;
    this.client = client;
    this.lead = new StampLead(clock);
  }

  CommitResult commit(List<CommitPart> parts, long snapshot) {
    return parts.size() == 1 ? commitOne(parts.get(0), snapshot) : commitAll(parts, snapshot);
  }

  private CommitResult commitOne(CommitPart part, long snapshot) {
    long token = newToken();
    Request commit =
        new Request.Commit(part.rows(), token, snapshot, seen.get(), part.checks(), part.marks());
    Patience patience = new Patience(shards, clock, token);
    GraphMetaException unanswered = null;
    for (int sent = 0; ; sent++) {
      Response answer;
      try {
        answer = shards.awaitOutcome(sendOne(part.shard(), commit));
      } catch (GraphMetaException e) {
        if (unanswered == null) {
          if (!e.code().leavesOutcomeOpen()) {
            throw e;
          }
          unanswered = e;
        }
        if (!(e.code().isAway()
            ? patience.pause()
            : e.code().leavesOutcomeOpen() && sent < MAX_RESENT)) {
          throw unknown(unanswered);
        }
        continue;
      }
      if (answer instanceof Response.Stamped stamped) {
        return new CommitResult.Committed(stamped.stamp());
      }
      int check = ((Response.Conflicted) answer).check();
      if (check == Response.Conflicted.UNTOLD && unanswered != null) {
        throw unknown(unanswered); // the shard has forgotten what became of the first message
      }
      return new CommitResult.Conflicted(0, check);
    }
  }

  private CompletableFuture<Response> sendOne(int shard, Request commit) {
    if (shards.shards() == 1) {
      return shards.send(shard, commit);
    }
    closing.readLock().lock();
    try {
      return shards.send(shard, commit);
    } finally {
      closing.readLock().unlock();
    }
  }

  private long newToken() {
    return mix(mix(client) + numbers.incrementAndGet());
  }

  /** Spreads numbers over 64 bits, each to another one. */
  private static long mix(long number) {
    long mixed = (number ^ number >>> 31) * 0x9e3779b97f4a7c15L;
    return mixed ^ mixed >>> 32;
  }

  // Several shards

  private CommitResult commitAll(List<CommitPart> parts, long snapshot) {
    long above = Math.max(snapshot, seen.get());
    TransactionId given = null;
    long lastMicros = 0;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      long begun = lead.now();
      long leadMicros = attempt == 0 ? lead.micros() : lead(attempt, lastMicros);
      long least =
          attempt == 0
              ? Math.max(above, Stamp.plusMicros(begun, leadMicros))
              : Stamp.plusMicros(above, leadMicros);
      // Other threads of this client commit and close stamps, and would close this one before the
      // parts arrive.
      Lock others = attempt == 0 ? closing.readLock() : closing.writeLock();
      others.lock();
      Attempt sent;
      try {
        sent = send(parts, snapshot, least, given);
      } finally {
        others.unlock();
      }
      TransactionId id = sent.id;
      Answers answers = answers(sent);
      if (answers.refusal != null) {
        resolve(parts, id, false);
        return answers.refusal;
      }
      if (answers.failure != null && isRefusal(answers.failure)) {
        resolve(parts, id, false);
        throw answers.failure;
      }
      if (answers.failure != null
          && (answers.closed == 0 || !answers.failure.code().leavesOutcomeOpen())) {
        settle(parts, id, answers.failure);
        return new CommitResult.Committed(id.stamp());
      }
      if (answers.closed == 0) {
        resolve(parts, id, true);
        if (attempt == 0) {
          lead.cameInTime(begun);
        }
        awaitClock(id.stamp());
        return new CommitResult.Committed(id.stamp());
      }
      if (attempt == 0) {
        lead.cameTooLate(begun);
      }
      above = Math.max(above, answers.closed);
      given = id;
      lastMicros = Stamp.micros(lead.now()) - Stamp.micros(begun);
    }
    if (given != null) {
      resolve(parts, given, false);
    }
    throw new GraphMetaException(
        ErrorCode.OVERLOADED,
        "The shards moved on "
            + MAX_ATTEMPTS
            + " times while the transaction was being committed, the last time within "
            + lastMicros / 1000
            + " ms; run it again, in smaller transactions if it is a large one");
  }

  /**
   * Waits until a stamp is not in the future: all who take a snapshot then have it in that. One
   * that is further ahead than two clients lead together comes of a shard whose clock is, and is
   * not waited for.
   */
  private void awaitClock(long stamp) {
    long micros = clock.microsUntil(stamp);
    if (micros > 0 && micros <= 2 * MAX_LEAD_MICROS) {
      shards.pause(micros);
    }
  }

  /** As long as the last attempt took, where others close stamps all the time. */
  private static long lead(int attempt, long lastMicros) {
    return attempt == 1
        ? 0
        : Math.min(MAX_LEAD_MICROS, Math.max(lastMicros, FIRST_LEAD_MICROS << attempt));
  }

  private record Attempt(TransactionId id, List<CompletableFuture<Response>> answers) {}

  /** What came of an attempt. All null and 0 if it is committed. */
  private static final class Answers {
    private CommitResult.@Nullable Conflicted refusal;
    private @Nullable GraphMetaException failure;
    private long closed;
  }

  private Attempt send(
      List<CommitPart> parts, long snapshot, long above, @Nullable TransactionId given) {
    TransactionId id = new TransactionId(clock.tick(above), client, numbers.incrementAndGet());
    int[] participants = parts.stream().mapToInt(CommitPart::shard).sorted().toArray();
    return new Attempt(
        id,
        sendAll(
            parts,
            part ->
                new Request.Prepare(
                    id, participants, part.rows(), snapshot, part.checks(), part.marks(), given)));
  }

  /** Sends each participant its request, all at one moment. */
  private List<CompletableFuture<Response>> sendAll(
      List<CommitPart> parts, Function<CommitPart, Request> request) {
    List<RequestSender.ToShard> requests = new ArrayList<>(parts.size());
    for (CommitPart part : parts) {
      requests.add(new RequestSender.ToShard(part.shard(), request.apply(part)));
    }
    return shards.sendAll(requests);
  }

  private Answers answers(Attempt sent) {
    shards.awaitAll(sent.answers);
    Answers answers = new Answers();
    for (int i = 0; i < sent.answers.size(); i++) {
      try {
        Response answer = shards.awaitOutcome(sent.answers.get(i));
        if (answer instanceof Response.Conflicted conflicted && answers.refusal == null) {
          answers.refusal = new CommitResult.Conflicted(i, conflicted.check());
        } else if (answer instanceof Response.TooLow tooLow) {
          answers.closed = Math.max(answers.closed, tooLow.closed());
        }
      } catch (GraphMetaException e) {
        if (answers.failure == null || answers.failure.code().leavesOutcomeOpen() || isRefusal(e)) {
          answers.failure = e;
        }
      }
    }
    return answers;
  }

  /** Whether a shard that fails a part with it never takes that part: it refuses it, or is away. */
  private static boolean isRefusal(GraphMetaException failure) {
    return failure.code() == ErrorCode.MISPLACED || failure.code() == ErrorCode.UNAVAILABLE;
  }

  /** Tells the participants the outcome, without waiting: one that is not reached will ask. */
  private void resolve(List<CommitPart> parts, TransactionId id, boolean committed) {
    Request resolve = new Request.Resolve(id, committed);
    sendAll(parts, part -> resolve);
  }

  /**
   * Finds out what became of an attempt whose answers are not all there; returns if it is
   * committed.
   */
  private void settle(List<CommitPart> parts, TransactionId id, GraphMetaException failure) {
    Patience patience = new Patience(shards, clock, mix(id.stamp() ^ id.number()));
    PartsHeard heard = new PartsHeard(parts.size());
    Outcome outcome = heard.round(ask(parts, id));
    // Who is away will come back, and knows; who does not answer in time is asked no more often.
    for (int question = 1;
        outcome == null && (failure.code().isAway() ? patience.pause() : question < MAX_QUESTIONS);
        question++) {
      outcome = heard.round(ask(parts, id));
    }
    if (outcome == Outcome.COMMITTED) {
      resolve(parts, id, true);
    } else if (outcome == Outcome.ABORTED) {
      resolve(parts, id, false);
      throw failure;
    } else {
      throw unknown(failure);
    }
  }

  private List<@Nullable PartState> ask(List<CommitPart> parts, TransactionId id) {
    Request inquire = new Request.Inquire(List.of(id));
    List<CompletableFuture<Response>> asked = sendAll(parts, part -> inquire);
    shards.awaitAll(asked);
    List<@Nullable PartState> states = new ArrayList<>();
    for (CompletableFuture<Response> question : asked) {
      try {
        states.add(((Response.Parts) shards.awaitOutcome(question)).states().get(0));
      } catch (GraphMetaException e) {
        states.add(null); // a shard that does not answer; the states of the other parts may do
      }
    }
    return states;
  }

  private static GraphMetaException unknown(GraphMetaException cause) {
    return new GraphMetaException(
        ErrorCode.OUTCOME_UNKNOWN,
        "Whether the commit happened cannot be found out ("
            + cause.getMessage()
            + "); look for what it wrote before running it again",
        cause);
  }
}
