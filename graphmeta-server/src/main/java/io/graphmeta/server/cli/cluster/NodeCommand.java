package io.graphmeta.server.cli.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cluster.ClusterNode;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.net.NodeSetting;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Hosts shards of a cluster until it is told to stop. */
@Command(
    name = "node",
    description = {
      "Joins a cluster as a node and hosts its shards until it gets SIGTERM or SIGINT. A node that has joined once keeps"
          + " its name and its directory. An address that other machines can reach needs certificates (node.tls-cert,"
          + " node.tls-key, node.tls-ca)."
    },
    footer = {
      "%nExamples:%n  graphmeta node --zookeeper zk1:2181,zk2:2181,zk3:2181 --cluster c1 --name n1 --dir /data/n1"
          + " --listen n1.example.org:8190 --config node.properties%n"
          + "  graphmeta node --cluster c1 --name n3 --dir /data/n3 --listen 0.0.0.0:8190 --advertise n3.example.org"
          + " --config node.properties%n"
          + "  graphmeta node --cluster c1 --name n2 --dir n2 --listen 127.0.0.1:8191%n"
    })
public final class NodeCommand implements Callable<Integer> {
  /** The line that says that the node answers begins with it. */
  static final String SERVES = "serves shards ";

  private static final long LOOK_MILLIS = 1_000;

  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([^\\]]+)]|([^:\\[\\]]+))(?::([0-9]{1,5}))?");

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(names = "--cluster", paramLabel = "NAME", required = true, description = "The cluster.")
  private String cluster = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      description = "The name of this node in the cluster.")
  private String name = "";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      required = true,
      description = "Directory of the node, made if it is not there and the node is new.")
  private Path directory = Path.of("");

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Where it listens for other nodes and clients; port 0 is a free one. Default: node.host and node.port.")
  private @Nullable String listen;

  @Option(
      names = "--advertise",
      paramLabel = "HOST[:PORT]",
      description =
          "Where others reach it, if that is elsewhere: in a container, behind address translation, or when it"
              + " listens on 0.0.0.0. Default: node.advertised-host and node.advertised-port, or where it listens.")
  private @Nullable String advertise;

  @Option(
      names = "--admin-port",
      paramLabel = "N",
      description =
          "Port of health and metrics; 0 takes a free one, -1 none. Default: node.admin-port.")
  private @Nullable Integer adminPort;

  @Override
  public Integer call() throws InterruptedException {
    ClusterSettings settings = options.settings(places());
    NodeStop stop = new NodeStop();
    // The JVM ends when its hooks do.
    Runtime.getRuntime().addShutdownHook(new Thread(stop::askAndAwait, "graphmeta-stop"));
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (ClusterNode node =
            ClusterNode.open(
                cluster,
                name,
                directory,
                settings,
                spec.version()[0],
                waiting -> err.println(waiting));
        NodeAdmin admin = NodeAdmin.start(node, settings.node())) {
      stop.opened();
      out.println(
          "node "
              + name
              + " of cluster "
              + cluster
              + " "
              + SERVES
              + node.shards()
              + " on "
              + node.place()
              + (admin.address() == null ? "" : "; health and metrics on " + admin.address()));
      out.flush();
      while (!stop.await(LOOK_MILLIS)) {
        if (node.isReplaced()) {
          throw new GraphMetaException(
              ErrorCode.ALREADY_OPEN,
              "Another process has joined cluster "
                  + cluster
                  + " as node "
                  + name
                  + "; this one ends");
        }
      }
    } catch (GraphMetaException e) {
      if (!stop.isAsked()) {
        throw e;
      } // stopped while it waited for something
    } catch (InterruptedException e) {
      if (!stop.isAsked()) {
        throw e;
      }
    } finally {
      stop.ended();
    }
    return 0;
  }

  private Map<String, Object> places() {
    Map<String, Object> given = new HashMap<>();
    if (listen != null) {
      place(given, listen, true, NodeSetting.HOST, NodeSetting.PORT);
    }
    if (advertise != null) {
      place(given, advertise, false, NodeSetting.ADVERTISED_HOST, NodeSetting.ADVERTISED_PORT);
    }
    if (adminPort != null) {
      given.put(NodeSetting.ADMIN_PORT.key(), adminPort);
    }
    return given;
  }

  /** Sets a host and a port to those of an address; an IPv6 address stands in brackets. */
  private void place(
      Map<String, Object> given,
      String address,
      boolean withPort,
      NodeSetting host,
      NodeSetting port) {
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches() || withPort && parts.group(3) == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "'"
              + address
              + "' is no address of a node; expected "
              + (withPort ? "HOST:PORT, such as n1:8190" : "HOST or HOST:PORT, such as n1:8190"));
    }
    given.put(host.key(), parts.group(1) == null ? parts.group(2) : parts.group(1));
    if (parts.group(3) != null) {
      given.put(port.key(), parts.group(3));
    }
  }
}
