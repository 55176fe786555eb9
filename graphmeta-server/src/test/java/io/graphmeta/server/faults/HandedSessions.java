package io.graphmeta.server.faults;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.faults.Deadlines.Step;
import io.graphmeta.time.SessionToken;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that go from client to client, as those of users do behind a load balancer, and take
 * what they have seen along as a token. Each counts a vertex of its own up, and reads at each
 * client exactly what it was told before, at whichever client that was.
 */
final class HandedSessions implements Work {
  private static final int SESSIONS = 6;

  private final Deadlines deadlines;
  private final Queue<CountedSession> sessions = new ConcurrentLinkedQueue<>();
  private final List<CountedSession> all = new ArrayList<>();
  private final AtomicLong handed = new AtomicLong();
  private final AtomicLong unknowns = new AtomicLong();

  HandedSessions(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  @Override
  public void begin(Client client) {
    try (GraphTransaction tx = client.database.begin()) {
      if (tx.verticesById(List.of("session0"), tx.snapshot()).get(0) == null) {
        for (int session = 0; session < SESSIONS; session++) {
          tx.addVertex(
              "session" + session, "session", Map.of(CountedSession.KEY, 0L), Stamp.AT_COMMIT);
        }
        tx.commit();
      }
    }
    String token = client.graph.sessionToken();
    for (int session = 0; session < SESSIONS; session++) {
      all.add(new CountedSession("session" + session, token));
    }
    sessions.addAll(all);
  }

  @Override
  public boolean run(Client client, Random random) {
    CountedSession session = sessions.poll();
    if (session == null) {
      return false; // all are with others now
    }
    try {
      client.graph.resume(SessionToken.of(session.token));
      try (GraphTransaction tx = deadlines.of(Step.BEGIN, client.database::begin)) {
        VertexRecord vertex = read(tx, session);
        session.token = new SessionToken(tx.snapshot().knownAt()).toString();
        if (random.nextInt(4) > 0) {
          countUp(tx, session, vertex);
        }
      }
      handed.incrementAndGet();
      return true;
    } finally {
      sessions.add(session);
    }
  }

  /** The vertex as it is now, which is as the session knows it. */
  private VertexRecord read(GraphTransaction tx, CountedSession session) {
    @Nullable VertexRecord vertex =
        deadlines.of(
            Step.READ, () -> tx.verticesById(List.of(session.vertex), tx.snapshot()).get(0));
    if (vertex == null) {
      throw new AssertionError(session.vertex + " is not there at " + tx.snapshot());
    }
    session.requireTold(count(vertex), tx.snapshot());
    return vertex;
  }

  private static long count(VertexRecord vertex) {
    for (PropertyRecord property : vertex.properties()) {
      if (property.key().equals(CountedSession.KEY)) {
        return (Long) property.value();
      }
    }
    return -1;
  }

  private void countUp(GraphTransaction tx, CountedSession session, VertexRecord vertex) {
    long next = session.next();
    tx.setVertexProperty(
        vertex.key(),
        CountedSession.KEY,
        next,
        Cardinality.SINGLE,
        Map.of(),
        null,
        Stamp.AT_COMMIT);
    try {
      long stamp = deadlines.of(Step.COMMIT, tx::commit);
      session.acknowledged(next, new SessionToken(stamp).toString());
    } catch (GraphMetaException e) {
      if (e.code().category() == ErrorCode.Category.UNCERTAIN) {
        session.unknown(next);
        unknowns.incrementAndGet();
      }
      throw e;
    }
  }

  @Override
  public void assertHolds(Client client) {
    for (CountedSession session : all) {
      client.graph.resume(SessionToken.of(session.token));
      try (GraphTransaction tx = client.database.begin()) {
        read(tx, session);
      }
    }
  }

  @Override
  public String tally() {
    return String.format(
        "%d sessions handed on %d times, %d outcomes unknown",
        SESSIONS, handed.get(), unknowns.get());
  }
}
