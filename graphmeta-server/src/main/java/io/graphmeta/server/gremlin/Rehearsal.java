package io.graphmeta.server.gremlin;

import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import io.graphmeta.backup.FileOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.gremlin.rules.ServedSource;
import io.graphmeta.server.gremlin.run.NamedThreads;
import io.graphmeta.server.gremlin.run.QueryService;
import io.graphmeta.server.gremlin.wire.ConnectionInitializer;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks what clients ask, before there are any, so that the first of them finds the code loaded and
 * compiled. The questions take the way of those of clients, from the bytes of a request to those of
 * its answer, but through a socket in a directory of its own, which nobody else may enter, and over
 * a small graph there; nothing of them is seen in the served graph, its metrics or its audit. Of
 * the served graph itself a little is read.
 */
public final class Rehearsal {
  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  /** Rounds after which a first query takes no longer than later ones. */
  static final int ROUNDS = 11;

  private static final int JOBS = 8;
  private static final int FILES = 64;

  /** Vertices of the served graph that are read; of their neighbours a few times as many. */
  private static final int READ_OF_SERVED = 32;

  private static final String FILE = "file";
  private static final String JOB = "job";
  private static final String PATH = "path";
  private static final String BYTES = "bytes";
  private static final String WROTE = "wrote";
  private static final String READ = "read";
  private static final String PART_OF = "partOf";

  private static final List<String> SCRIPTS =
      List.of(
          "g.V().hasLabel('file').limit(5).values('path')",
          "g.V().hasLabel('job').limit(1).out().out().dedup().count()",
          "g.V('file:1').in('wrote').out('read').simplePath().path().limit(10)",
          "g.V('job:1').repeat(out('wrote','read').in('wrote')).times(2).dedup().count()",
          "g.V().has('file','path','/f/3').valueMap()",
          "g.V().groupCount().by(label)",
          "g.V('job:1').outE('wrote').has('bytes', gt(3)).order().by('bytes').limit(3).inV().elementMap()",
          "g.addV('file').property(id, 'file:x').property('path', 'x')",
          "g.V('file:x').drop()");

  /** Asked once, for the parser and the classes of steps that not every client takes. */
  private static final List<String> ONCE =
      List.of(
          "g.V().hasLabel('file').has('path', neq('x')).limit(3).in('wrote','read').dedup().valueMap()",
          "g.V().hasLabel('file','job').has('path', within('/f/1','/f/2')).values('path','score')",
          "g.V().has('file','path', startingWith('/f/1')).order().by('path', desc).limit(2).elementMap()",
          "g.V('job:1').as('a').out('wrote').as('b').where(__.in('read')).select('a','b').by(id).limit(3)",
          "g.V('file:1').repeat(__.in('partOf')).until(__.not(__.in('partOf'))).emit().count()",
          "g.V('file:3').repeat(out('partOf')).emit().times(2).path().by('path')",
          "g.V('job:1').project('id','files').by(id).by(out('wrote').count())",
          "g.V().hasLabel('file').group().by('open').by(values('score').sum())",
          "g.V('file:1').union(out(), __.in()).hasLabel('file').range(0, 2).id().fold()",
          "g.V('job:1').outE('wrote').has('bytes', between(3, 40)).values('bytes').mean()",
          "g.E().hasLabel('wrote').limit(2).bothV().label().dedup()",
          "g.V('file:1').coalesce(out('none'), out('partOf')).hasNext()");

  private Rehearsal() {}

  /**
   * Asks for as long as the settings say, at most. What fails is logged and changes nothing: the
   * first queries will be slower.
   *
   * @param settings of the server to come
   * @param served the graph that it will serve
   * @return how many questions were answered
   */
  public static int run(ServerSettings settings, GraphMetaGraph served) {
    long limitNanos =
        TimeUnit.MILLISECONDS.toNanos(settings.number(ServerSetting.REHEARSAL_MILLIS));
    if (limitNanos == 0) {
      return 0;
    }
    int answered = rehearse(System.nanoTime() + limitNanos);
    meet(served);
    return answered;
  }

  private static int rehearse(long end) {
    try {
      Path directory = Files.createTempDirectory("graphmeta-rehearsal");
      try (GraphDatabase database =
              GraphDatabases.open(
                  GraphMetaConfig.inDirectory(directory).with(Setting.DURABILITY, "background"));
          GraphMetaGraph graph = GraphMetaGraph.over(database)) {
        fill(graph);
        return serve(graph, directory.resolve("socket"), end);
      } finally {
        FileOperations.ON_DISK.deleteTree(directory);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The first queries will be slow, for they could not be rehearsed", e);
    }
    return 0;
  }

  /**
   * Reads a little of the graph that will be served: so the store has opened what its first reader
   * would wait for, its names are known, and its log is synced for the first snapshot. What fails
   * is logged and changes nothing.
   */
  private static void meet(GraphMetaGraph served) {
    GraphTraversalSource g = served.traversal();
    try {
      Object[] ids = g.V().limit(READ_OF_SERVED).id().toList().toArray();
      if (ids.length > 0) {
        g.V(ids).valueMap().iterate();
        g.V(ids).both().limit(READ_OF_SERVED).valueMap().iterate();
      }
    } catch (RuntimeException e) {
      LOG.warn("The served graph could not be read ahead of the first query", e);
    } finally {
      served.tx().rollback();
    }
  }

  /** Edges of several steps, and values of several kinds, some of which were set again later. */
  private static void fill(GraphMetaGraph graph) {
    for (int job = 0; job < JOBS; job++) {
      graph.addVertex(T.label, JOB, T.id, JOB + ":" + job);
    }
    for (int file = 0; file < FILES; file++) {
      Vertex vertex = graph.addVertex(T.label, FILE, T.id, FILE + ":" + file, PATH, "/f/" + file);
      graph.vertices(JOB + ":" + file % JOBS).next().addEdge(WROTE, vertex, BYTES, file);
      graph.vertices(JOB + ":" + (file + 1) % JOBS).next().addEdge(READ, vertex);
      vertex.addEdge(PART_OF, graph.vertices(FILE + ":" + file / 2).next());
    }
    graph.tx().commit();
    graph
        .vertices()
        .forEachRemaining(vertex -> vertex.property("score", 0.5).element().property("open", true));
    graph.tx().commit();
  }

  private static int serve(GraphMetaGraph graph, Path socket, long end)
      throws IOException, InterruptedException {
    ServerSettings settings = ServerSettings.defaults();
    EventLoopGroup threads = new NioEventLoopGroup(2, new NamedThreads("rehearsal"));
    try (ServerMetrics metrics = new ServerMetrics();
        AuditLog audit = new AuditLog(false);
        QueryService queries =
            new QueryService(
                ServedSource.of(graph, settings), new RecordedQueries(metrics, audit), settings)) {
      Channel server =
          new ServerBootstrap()
              .group(threads)
              .channel(NioServerDomainSocketChannel.class)
              .childHandler(
                  new ConnectionInitializer(
                      settings,
                      null,
                      queries,
                      new RecordedQueries(metrics, audit),
                      null,
                      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE)))
              .bind(UnixDomainSocketAddress.of(socket))
              .sync()
              .channel();
      try (RehearsedClient client =
          new RehearsedClient(threads, UnixDomainSocketAddress.of(socket))) {
        int answered = 0;
        for (int i = 0; i < ONCE.size() && System.nanoTime() < end; i++) {
          client.script(ONCE.get(i));
        }
        for (int round = 0; round < ROUNDS && System.nanoTime() < end; round++) {
          answered += ask(client);
        }
        return answered;
      } finally {
        server.close().awaitUninterruptibly();
        queries.end(TimeUnit.SECONDS.toMillis(1));
      }
    } finally {
      threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  private static int ask(RehearsedClient client) throws IOException, InterruptedException {
    for (String script : SCRIPTS) {
      client.script(script);
    }
    List<Traversal<?, ?>> traversals = traversals(traversal().withEmbedded(EmptyGraph.instance()));
    for (Traversal<?, ?> traversal : traversals) {
      client.bytecode(traversal.asAdmin().getBytecode());
    }
    return SCRIPTS.size() + traversals.size();
  }

  private static List<Traversal<?, ?>> traversals(GraphTraversalSource g) {
    return List.of(
        g.V(JOB + ":1").out(WROTE).values(PATH),
        g.V().hasLabel(FILE).limit(5).valueMap(),
        g.V().has(FILE, PATH, P.within("/f/1", "/f/2")).in().dedup().count(),
        g.V(JOB + ":1").repeat(__.out().in()).times(2).path().limit(10),
        g.V(JOB + ":2").outE(WROTE).has(BYTES, P.gt(3)).inV().elementMap(),
        g.addV(FILE)
            .property(T.id, FILE + ":y")
            .property(PATH, "y")
            .addE(READ)
            .to(__.V(FILE + ":1")),
        g.V(FILE + ":y").drop());
  }
}
