package io.graphmeta.simulation;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import java.util.Arrays;

/** A message in words for the trace, found only when it is read. */
record Words(Object message) {
  @Override
  public String toString() {
    if (message instanceof Request.FollowerRead read) {
      return "of a replica: " + new Words(read.read());
    } else if (message instanceof Request.FollowerTraversal part) {
      return "of replicas " + part.nodes() + ": " + new Words(part.message());
    } else if (message instanceof Request.Commit commit) {
      return "Commit "
          + commit.token()
          + " snapshot "
          + commit.snapshot()
          + rows(commit.rows().count());
    } else if (message instanceof Request.Prepare prepare) {
      return "Prepare "
          + id(prepare.id())
          + " of "
          + Arrays.toString(prepare.participants())
          + " snapshot "
          + prepare.snapshot()
          + rows(prepare.rows().count())
          + (prepare.replaces() == null ? "" : " for " + id(prepare.replaces()));
    } else if (message instanceof Request.Resolve resolve) {
      return "Resolve " + id(resolve.id()) + (resolve.committed() ? " committed" : " aborted");
    } else if (message instanceof Request.Inquire inquire) {
      return "Inquire " + inquire.ids().stream().map(Words::id).toList();
    } else if (message instanceof Response.Elements found) {
      return found.page().elements() + " elements";
    } else if (message instanceof Request.ReadVertices
        || message instanceof Request.ReadEdges
        || message instanceof Request.ReadSplits
        || message instanceof Request.Expand
        || message instanceof Request.ScanVertices
        || message instanceof Request.SearchVertices
        || message instanceof Request.SearchDuring
        || message instanceof Request.SearchEdges
        || message instanceof Request.ReadIndexes
        || message instanceof Request.CompareIndex
        || message instanceof Request.ProbeRows
        || message instanceof Request.ScanRows
        || message instanceof Request.MeasureRows
        || message instanceof Request.ScanEdges) {
      return message.getClass().getSimpleName();
    } else if (message instanceof Request.GiveEntries give) {
      return give.step() + " " + give.number() + " of " + give.move();
    } else if (message instanceof Request.TakeEntries take) {
      return "Take " + take.number() + " of " + take.move() + rows(take.keys().length);
    } else if (message instanceof Request.Define define) {
      return "Define " + define.names().entries();
    } else if (message instanceof Response.Schema) {
      return "Schema";
    } else if (message instanceof Response.Rows rows) {
      return rows.keys().length + " raw rows";
    }
    return TraversalWords.of(message);
  }

  private static String id(TransactionId id) {
    return id.stamp() + "/" + id.client() + "/" + id.number();
  }

  private static String rows(int count) {
    return ", " + count + " rows";
  }
}
