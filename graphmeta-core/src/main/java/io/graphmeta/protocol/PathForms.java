package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.model.EdgeKey;
import java.util.ArrayList;
import java.util.List;

/** The bodies of the messages about paths; the package documentation has them as a table. */
final class PathForms {
  private static final PathOperation[] OPERATIONS = PathOperation.values();

  private PathForms() {}

  static void writeExtend(Request.ExtendPaths extend, ByteWriter out) {
    PlanForm.write(extend.plan(), out);
    PlanForm.names(extend.names(), out);
    Fields.view(extend.view(), out);
    TraversalForms.parts(List.of(extend.part()), out);
    out.putVarInt(extend.fromIndex()).putVarLong(extend.skip());
  }

  static Request.ExtendPaths readExtend(ByteReader in) {
    var plan = PlanForm.read(in);
    var names = PlanForm.names(in);
    var view = Fields.view(in);
    List<FrontierPart> parts = TraversalForms.parts(in);
    if (parts.size() != 1) {
      throw Fields.corrupt(parts.size() + " parts of ends of paths; expected one");
    }
    FrontierPart part = parts.get(0);
    return new Request.ExtendPaths(
        plan, names, view, part, Fields.index(in, part.size()), in.getVarLong());
  }

  static void writeSteps(PathSteps steps, ByteWriter out) {
    Fields.ints(steps.sources(), out);
    Fields.ints(steps.positions(), out);
    Fields.ints(steps.counts(), out);
    Fields.longs(steps.vertices(), out);
    Fields.edgeKeys(steps.edges(), out);
    for (boolean fromSource : steps.reached()) {
      Fields.flag(fromSource, out);
    }
    out.putVarInt(steps.stops().size());
    for (PathSteps.Stop stop : steps.stops()) {
      out.putVarInt(stop.position());
      Fields.flag(stop.edges(), out);
      out.putVarInt(stop.operations().size());
      stop.operations().forEach(operation -> Fields.ordinal(operation, out));
    }
    Fields.ints(steps.sentOn(), out);
    out.putVarInt(steps.nextIndex() + 1).putVarLong(steps.skip());
    TraversalForms.writeWork(steps.work(), out);
  }

  static PathSteps readSteps(ByteReader in) {
    int[] sources = Fields.ints(in);
    int[] positions = Fields.ints(in);
    int[] counts = Fields.ints(in);
    long[] vertices = Fields.longs(in);
    List<EdgeKey> edges = Fields.edgeKeys(in);
    boolean[] reached = new boolean[edges.size()];
    for (int e = 0; e < reached.length; e++) {
      reached[e] = Fields.flag(in);
    }
    List<PathSteps.Stop> stops = stops(in);
    if (positions.length != sources.length || counts.length != sources.length) {
      throw Fields.corrupt("Spans of steps of paths without their positions or counts");
    }
    long follow = 0;
    for (int span = 0; span < counts.length; span++) {
      follow += counts[span];
      if (counts[span] < 0 || sources[span] < 0) {
        throw Fields.corrupt("Span " + span + " of steps of paths is negative");
      }
    }
    if (follow != vertices.length + (long) edges.size()) {
      throw Fields.corrupt("Spans of steps of paths that do not match their elements");
    }
    int[] sentOn = Fields.ints(in);
    if (sentOn.length % 3 != 0) {
      throw Fields.corrupt("Elements of paths that are sent on to nowhere");
    }
    int next = Fields.index(in, Integer.MAX_VALUE) - 1;
    return new PathSteps(
        sources,
        positions,
        counts,
        vertices,
        edges,
        reached,
        stops,
        sentOn,
        next,
        in.getVarLong(),
        TraversalForms.readWork(in));
  }

  private static List<PathSteps.Stop> stops(ByteReader in) {
    List<PathSteps.Stop> stops = new ArrayList<>();
    for (int count = Fields.count(in, 3); count > 0; count--) {
      int position = in.getVarInt();
      boolean edges = Fields.flag(in);
      List<PathOperation> operations = new ArrayList<>();
      for (int each = Fields.count(in, 1); each > 0; each--) {
        operations.add(Fields.ordinal(OPERATIONS, in));
      }
      stops.add(new PathSteps.Stop(position, edges, operations));
    }
    return stops;
  }
}
