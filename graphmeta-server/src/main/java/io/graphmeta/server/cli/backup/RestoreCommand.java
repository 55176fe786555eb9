package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.connection.ClusterOption;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.cluster.RestoredCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a database of a backup. */
@Command(
    name = "restore",
    description =
        "Makes a database of a backup, as the one that was backed up was at the moment of the backup, with its history."
            + " Every file is compared with what was written. Until all is done there is nothing under the name of the"
            + " database. Indexes are built anew when it is opened. With --cluster it makes a directory for each node of a"
            + " cluster that 'graphmeta cluster init' has made with as many shards and in which no node is yet: bring each to"
            + " its machine, and start the nodes over them. Where the cluster keeps replicas they copy the others from there.",
    footer = {
      "%nExamples:%n  graphmeta restore /backups/graph restored%n"
          + "  graphmeta restore /backups/graph restored --backup 20261125T173012.345678Z%n"
          + "  graphmeta restore /backups/c1 nodes --cluster c2 --nodes n1,n2,n3%n"
          + "  graphmeta restore /backups/c1 nodes --cluster c2 --nodes n1=r1,n2=r1,n3=r2,n4=r2,n5=r3%n"
    })
public final class RestoreCommand implements Callable<Integer> {
  private static final String AFTER =
      "there is no database yet: run the same command again to begin anew";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TARGET", description = "The directory of backups.")
  private Path target = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "DIRECTORY",
      description =
          "The directory of the new database, or of the directories of nodes, which is not there or holds nothing.")
  private Path directory = Path.of("");

  @Option(
      names = "--backup",
      paramLabel = "NAME",
      description =
          "The backup, by its name in 'graphmeta backup list TARGET'. Default: the newest of all.")
  private @Nullable String name;

  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--nodes",
      paramLabel = "NAMES",
      split = ",",
      description =
          "With --cluster: the names of all nodes of the cluster, with commas between; those that have a rack as NAME=RACK, so"
              + " that replicas of a shard come to different racks.")
  private List<String> nodes = List.of();

  @Option(names = "--json", description = "What was restored as one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    GraphMetaConfig asked = cluster.isGiven() ? cluster.config(false) : null;
    if ((asked == null) != nodes.isEmpty()) {
      throw new CommandLine.ParameterException(
          line, "Options --cluster and --nodes belong together; expected both or none of them");
    }
    BackupSummary restored;
    try (Progress progress =
        Terminal.detect(spec).progress(line.getErr(), "Bytes restored:", 0, AFTER)) {
      restored =
          asked == null
              ? GraphDatabases.restore(target, name, directory, progress::update)
              : RestoredCluster.restore(
                  asked, target, name, directory, racks(line), progress::update);
    }
    if (json) {
      Map<String, Object> fields = BackupText.fields(restored);
      fields.put("directory", directory.toString());
      JsonLines.printAnswer(line.getOut(), fields);
    } else {
      line.getOut().println("restored " + BackupText.line(restored));
    }
    return 0;
  }

  /** The nodes with their racks. */
  private SortedMap<String, String> racks(CommandLine line) {
    SortedMap<String, String> racks = new TreeMap<>();
    for (String node : nodes) {
      int equals = node.indexOf('=');
      String of = equals < 0 ? node : node.substring(0, equals);
      if (racks.put(of, equals < 0 ? "" : node.substring(equals + 1)) != null) {
        throw new CommandLine.ParameterException(
            line, "Option --nodes names " + of + " twice; expected each node once");
      }
    }
    return racks;
  }
}
