package io.graphmeta.router;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.protocol.IndexState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexClauses;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes that a client knows of. They decide only whether a shard is asked to search or to
 * scan, and either is right: so they may be of yesterday. They are read when a condition comes that
 * none of them serves, once a second at most, else now and then; that they cannot be read is no
 * error. Safe for use by many threads.
 */
final class KnownIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(KnownIndexes.class);
  private static final long FRESH_MICROS = 1_000_000;

  /** An index that was dropped is asked for by people, but by no shard. */
  private static final long FRESH_IF_FOUND_MICROS = 10_000_000;

  /** Every shard has all definitions. */
  private static final int ASKED_SHARD = 0;

  private final RequestSender shards;
  private final Names names;
  private final HybridClock clock;

  /** The definitions by their label. Changed with the lock held, read without. */
  private volatile Map<ElementLabel, List<IndexDefinition>> byLabel = Map.of();

  /** When they were last asked for, in microseconds. */
  private final AtomicLong askedMicros = new AtomicLong(Long.MIN_VALUE);

  /**
   * How often all were forgotten, changed with the lock held: an answer to a question before that
   * tells nothing.
   */
  private volatile int clearings;

  KnownIndexes(RequestSender shards, Names names, HybridClock clock) {
    this.shards = shards;
    this.names = names;
    this.clock = clock;
  }

  /** What the indexes of a label can be asked to narrow a condition down; null for nothing. */
  @Nullable IndexClause clause(ElementLabel label, Condition where) {
    IndexClause clause = known(label, where);
    long freshMicros = clause == null ? FRESH_MICROS : FRESH_IF_FOUND_MICROS;
    if (IndexClauses.canBe(where) && isDue(freshMicros)) {
      refresh();
      clause = known(label, where);
    }
    return clause;
  }

  /** Whether there are any of a label. */
  boolean areThereOf(ElementLabel label) {
    boolean known = byLabel.containsKey(label);
    if (isDue(known ? FRESH_IF_FOUND_MICROS : FRESH_MICROS)) {
      refresh();
      known = byLabel.containsKey(label);
    }
    return known;
  }

  private @Nullable IndexClause known(ElementLabel label, Condition where) {
    List<IndexDefinition> definitions = byLabel.get(label);
    if (definitions == null) {
      return null;
    }
    SchemaImage schema = names.image();
    return IndexClauses.of(where, definitions, key -> schema.id(NameKind.PROPERTY_KEY, key));
  }

  /** True for one thread in each such time. */
  private boolean isDue(long freshMicros) {
    long now = Stamp.micros(clock.physicalStamp());
    long asked = askedMicros.get();
    boolean fresh = asked != Long.MIN_VALUE && now >= asked && now - asked < freshMicros;
    return !fresh && askedMicros.compareAndSet(asked, now);
  }

  private void refresh() {
    try {
      ask(ASKED_SHARD);
    } catch (GraphMetaException e) {
      LOG.debug("The definitions of indexes cannot be read; queries scan meanwhile", e);
    }
  }

  /** Asks a shard for all definitions, and how far it is with them. */
  Response.Indexes ask(int shard) {
    int askedAfter = clearings;
    Response.Indexes answer = shards.call(shard, new Request.ReadIndexes(), Response.Indexes.class);
    learn(answer.states().stream().map(IndexState::definition).toList(), askedAfter);
    return answer;
  }

  private void learn(List<IndexDefinition> definitions, int askedAfter) {
    SchemaImage schema = names.image();
    if (!definitions.stream().allMatch(each -> isNamed(each, schema))) {
      names.read();
    }
    synchronized (this) {
      if (askedAfter == clearings) {
        byLabel = definitions.stream().collect(Collectors.groupingBy(IndexDefinition::label));
      }
    }
  }

  private static boolean isNamed(IndexDefinition definition, SchemaImage schema) {
    NameKind kind =
        definition.element() == ElementKind.VERTEX ? NameKind.VERTEX_LABEL : NameKind.EDGE_LABEL;
    return schema.has(kind, definition.labelId())
        && (definition.keyId() == IndexDefinition.ID
            || schema.has(NameKind.PROPERTY_KEY, definition.keyId()));
  }

  /** Forgets them all, after the shards have. */
  synchronized void clear() {
    clearings++;
    byLabel = Map.of();
  }
}
