package io.graphmeta.simulation;

import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.Arrays;
import java.util.List;

/**
 * The messages of traversals in words. Times that shards have measured are left out, which differ
 * from one play of a seed to the next.
 */
final class TraversalWords {
  private TraversalWords() {}

  static String of(Object message) {
    return message instanceof Request request ? request(request) : response(message);
  }

  private static String request(Request message) {
    if (message instanceof Request.StartTraversal start) {
      return "Start " + start.id() + " " + start.manner();
    } else if (message instanceof Request.Deliver deliver) {
      return "Deliver "
          + deliver.number()
          + " of "
          + deliver.id()
          + " for level "
          + deliver.level()
          + elements(deliver.parts());
    } else if (message instanceof Request.ExtendPaths extend) {
      return "Extend paths" + elements(List.of(extend.part()));
    } else if (message instanceof Request.FindConnected find) {
      return "Find connected of " + find.vertices().length;
    }
    return message.toString();
  }

  private static String response(Object message) {
    if (message instanceof Response.LevelDone done) {
      return "Level "
          + done.level()
          + " done, "
          + done.pending()
          + " wait, "
          + done.found()
          + " found, sent to "
          + Arrays.toString(done.sentTo())
          + (done.unfinished() ? ", unfinished" : "")
          + (done.scanLeft() ? ", scan left" : "")
          + done.elsewhere().stream().map(TraversalWords::of).toList();
    } else if (message instanceof Response.PartsDone done) {
      return "Parts done by s"
          + done.shard()
          + ", "
          + done.pending()
          + " wait, "
          + done.found()
          + " found, sent to "
          + Arrays.toString(done.sentTo());
    } else if (message instanceof Response.Progress progress) {
      return (progress.idle() ? "Idle, " : "At work, ")
          + progress.workedOff()
          + " worked off, sent "
          + Arrays.toString(progress.sent());
    } else if (message instanceof Response.Results results) {
      return results.page().size() + " results" + (results.page().more() ? " and more" : "");
    } else if (message instanceof Response.Paths paths) {
      return paths.steps().sources().length
          + " spans, sent on "
          + Arrays.toString(paths.steps().sentOn());
    }
    return message.toString();
  }

  private static String elements(List<FrontierPart> parts) {
    return ", "
        + parts.stream()
            .map(part -> part.size() + " elements at " + Integer.toHexString(part.position()))
            .toList();
  }
}
