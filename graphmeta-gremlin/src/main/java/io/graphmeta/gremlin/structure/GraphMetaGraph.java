package io.graphmeta.gremlin.structure;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.engine.LabelAccess;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.Adjacency;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.process.step.ElementSelection;
import io.graphmeta.gremlin.process.step.Hop;
import io.graphmeta.gremlin.process.step.KnownTraversals;
import io.graphmeta.gremlin.process.step.PlanResults;
import io.graphmeta.gremlin.process.strategy.GraphMetaStrategies;
import io.graphmeta.gremlin.service.GraphMetaServices;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.time.SessionToken;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.service.ServiceRegistry;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/**
 * A versioned property graph. Open one with {@link #open(Configuration)}, or put one over a
 * database that is open already; then query it with {@code graph.traversal()}. {@code
 * g.with('asOf', t)} and {@code g.with('knownAt', t)} read the past.
 *
 * <p>Safe for use by many threads. Each thread has its own transaction, opened by its first read or
 * write and ended by {@code tx().commit()} or {@code tx().rollback()}.
 */
@Graph.OptIn(Graph.OptIn.SUITE_STRUCTURE_STANDARD)
@Graph.OptIn(Graph.OptIn.SUITE_PROCESS_EMBEDDED_STANDARD)
public final class GraphMetaGraph implements Graph, ElementReader {
  /**
   * Configuration key of the cardinality of vertex properties that are set without one: {@code
   * single}, the default, {@code list} or {@code set}.
   */
  public static final String DEFAULT_CARDINALITY = ProviderSetting.DEFAULT_CARDINALITY.key();

  /**
   * Configuration key of what a program in Java may store beside the types that all drivers read:
   * {@code arrays}, for arrays of booleans, numbers and strings, and names of classes, whose
   * objects can then be values and ids. Separated by commas; none by default.
   */
  public static final String JAVA_TYPES = ProviderSetting.JAVA_TYPES.key();

  private static final String SETTINGS_PREFIX = "graphmeta.";

  static {
    TraversalStrategies.GlobalCache.registerStrategies(
        GraphMetaGraph.class, GraphMetaStrategies.standard());
  }

  private final GraphDatabase database;
  private final boolean ownsDatabase;
  private final Configuration configuration;
  private final Supplier<GraphTransaction> begin;
  private final RunningTransaction transaction;
  private final JavaTypes types;
  private final GraphMetaFeatures features;
  private final ElementGraph elements;
  private final ServiceRegistry services;
  private final UnindexedReads unindexed;
  private final KnownTraversals knownTraversals = new KnownTraversals();

  private GraphMetaGraph(
      GraphDatabase database,
      boolean ownsDatabase,
      Configuration configuration,
      Supplier<GraphTransaction> begin,
      UnindexedReads unindexed,
      boolean threaded) {
    this.database = database;
    this.unindexed = unindexed;
    this.ownsDatabase = ownsDatabase;
    this.configuration = configuration;
    this.begin = begin;
    this.transaction =
        threaded
            ? new GraphMetaThreadedTransaction(this, this::threaded, begin.get())
            : new GraphMetaTransaction(this, this::threaded, begin);
    this.types = types(configuration);
    VertexProperty.Cardinality defaultCardinality = cardinality(configuration);
    this.features =
        new GraphMetaFeatures(database.config().isPersistent(), defaultCardinality, types);
    this.elements =
        new ElementGraph(
            this,
            this,
            transaction,
            types,
            defaultCardinality,
            database.config().number(Setting.MAX_FRONTIER),
            GraphMetaEdge::new);
    this.services = new GraphMetaServices(new ServiceReads(database, elements, this::sessionToken));
  }

  /**
   * Opens an embedded graph, and creates it if it is not there, or the graph of a cluster. {@link
   * #close()} closes the database.
   *
   * @param configuration settings of {@link Setting}; keys that do not begin with {@code
   *     graphmeta.} are let through
   * @throws io.graphmeta.error.GraphMetaException for an unknown setting, a value out of range, or
   *     a directory that cannot be opened
   */
  public static GraphMetaGraph open(Configuration configuration) {
    Map<String, Object> settings = new HashMap<>();
    Iterator<String> keys = configuration.getKeys();
    while (keys.hasNext()) {
      String key = keys.next();
      if (key.startsWith(SETTINGS_PREFIX)) {
        settings.put(key, configuration.getProperty(key));
      }
    }
    GraphMetaConfig config = GraphMetaConfig.of(settings);
    cardinality(configuration);
    types(configuration);
    GraphDatabase database = GraphDatabases.open(config);
    return new GraphMetaGraph(
        database, true, configuration, database::begin, new UnindexedReads(database), false);
  }

  /** A graph over a database that is open already. {@link #close()} leaves the database open. */
  public static GraphMetaGraph over(GraphDatabase database) {
    return over(database, VertexProperty.Cardinality.single);
  }

  /** As {@link #over(GraphDatabase)}, with another {@linkplain #DEFAULT_CARDINALITY default}. */
  public static GraphMetaGraph over(
      GraphDatabase database, VertexProperty.Cardinality defaultCardinality) {
    return over(database, defaultCardinality, "", database::begin);
  }

  /**
   * As above, with {@linkplain #JAVA_TYPES types of Java}, and transactions of the engine that may
   * come from elsewhere.
   */
  static GraphMetaGraph over(
      GraphDatabase database,
      VertexProperty.Cardinality defaultCardinality,
      String javaTypes,
      Supplier<GraphTransaction> begin) {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty(DEFAULT_CARDINALITY, defaultCardinality.name());
    configuration.setProperty(Graph.GRAPH, GraphMetaGraph.class.getName());
    configuration.setProperty(JAVA_TYPES, javaTypes);
    for (Setting setting : Setting.values()) {
      configuration.setProperty(setting.key(), database.config().get(setting));
    }
    return new GraphMetaGraph(
        database, false, configuration, begin, new UnindexedReads(database), false);
  }

  /** This graph under one new transaction, which all threads that use it share. */
  GraphMetaGraph threaded() {
    return new GraphMetaGraph(database, false, configuration, begin, unindexed, true);
  }

  private static VertexProperty.Cardinality cardinality(Configuration configuration) {
    ProviderSetting setting = ProviderSetting.DEFAULT_CARDINALITY;
    return VertexProperty.Cardinality.valueOf(
        setting.checked(configuration.getString(setting.key(), setting.defaultValue())));
  }

  private static JavaTypes types(Configuration configuration) {
    List<String> names = new ArrayList<>();
    for (Object entry : configuration.getList(JAVA_TYPES, List.of())) {
      for (String name : entry.toString().split(",", -1)) {
        if (!name.isBlank()) {
          names.add(name.strip());
        }
      }
    }
    return new JavaTypes(names);
  }

  /**
   * What the calling thread has seen through this graph, as text: what it has committed, and what
   * its open transaction reads. Another client of the same database that is given it, by {@code
   * g.with('graphmeta.session', token)}, misses nothing of that.
   */
  public String sessionToken() {
    long seen = Math.max(Stamp.MIN, database.seen());
    return new SessionToken(
            transaction.isOpen() ? Math.max(seen, running().tx().snapshot().knownAt()) : seen)
        .toString();
  }

  /** Whether the calling thread's transaction has something to commit. */
  public boolean hasWrites() {
    return transaction.isOpen() && running().tx().hasWrites();
  }

  @Override
  public void resume(SessionToken session) {
    if (transaction.isOpen() && running().tx().snapshot().knownAt() < session.stamp()) {
      throw GraphMetaException.invalid(
          "The session has seen what was committed at "
              + Stamp.format(session.stamp())
              + ", but the open transaction reads what was there at "
              + Stamp.format(running().tx().snapshot().knownAt())
              + "; commit it or roll it back first");
    }
    database.resume(session.stamp());
  }

  /** The database behind the graph. */
  public GraphDatabase database() {
    return database;
  }

  private OpenTransaction running() {
    return transaction.running();
  }

  @Override
  public Vertex addVertex(Object... keyValues) {
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    String label = ElementHelper.getLabelValue(keyValues).orElse(Vertex.DEFAULT_LABEL);
    String id = ElementIds.forNew(types, keyValues, Vertex.class);
    Map<String, Object> properties = elements.properties(keyValues);
    VertexProperty.Cardinality byDefault = elements.defaultCardinality();
    boolean allSingle =
        byDefault == VertexProperty.Cardinality.single && !hasRepeatedKey(keyValues);
    OpenTransaction running = running();
    ElementIds.requireFree(running, id, Vertex.class);
    long key;
    try {
      key = running.tx().addVertex(id, label, allSingle ? properties : Map.of(), Stamp.AT_COMMIT);
    } catch (RuntimeException e) {
      throw StructureErrors.translate(e, Vertex.class, id == null ? null : types.givenId(id));
    }
    String given = id == null ? GeneratedIds.ofVertex(key) : id;
    Vertex vertex = new GraphMetaVertex(elements, key, null, given, label, null);
    if (!allSingle) {
      VertexProperty.Cardinality cardinality =
          byDefault == VertexProperty.Cardinality.single
              ? VertexProperty.Cardinality.list
              : byDefault;
      attach(vertex, cardinality, keyValues);
    }
    return vertex;
  }

  /** A vertex is added with all its properties or not at all. */
  private static void attach(
      Vertex vertex, VertexProperty.Cardinality cardinality, Object[] keyValues) {
    try {
      ElementHelper.attachProperties(vertex, cardinality, keyValues);
    } catch (RuntimeException e) {
      vertex.remove();
      throw e;
    }
  }

  private static boolean hasRepeatedKey(Object[] keyValues) {
    for (int i = 0; i < keyValues.length; i += 2) {
      for (int j = 0; j < i; j += 2) {
        if (keyValues[i].equals(keyValues[j])) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public Iterator<Vertex> vertices(Object... vertexIds) {
    return vertices(ElementSelection.of(vertexIds), null);
  }

  @Override
  public Iterator<Edge> edges(Object... edgeIds) {
    return edges(ElementSelection.of(edgeIds), null);
  }

  @Override
  public ReadView pastView(@Nullable Long validAt, @Nullable Long knownAt) {
    try {
      return running().tx().view(validAt, knownAt);
    } catch (GraphMetaException e) {
      throw StructureErrors.translateRead(e);
    }
  }

  @Override
  public CloseableIterator<Vertex> vertices(ElementSelection selection, @Nullable ReadView view) {
    return ElementReads.vertices(elements, selection, view, unindexed);
  }

  @Override
  public CloseableIterator<Edge> edges(ElementSelection selection, @Nullable ReadView view) {
    return ElementReads.edges(elements, selection, view, unindexed);
  }

  @Override
  public List<LabelAccess> access(ElementKind kind, Collection<String> labels, Condition where) {
    return database.indexes().access(kind, labels, where);
  }

  @Override
  public List<IndexStatus> indexes(Set<String> names) {
    return database.indexes().list().stream()
        .filter(each -> names.contains(each.definition().name()))
        .toList();
  }

  @Override
  public void beginScan(ElementKind kind, Collection<String> labels, Condition where) {
    unindexed.begin(kind, labels, where);
  }

  @Override
  public void endScan(
      ElementKind kind, Collection<String> labels, Condition where, LongSupplier elements) {
    unindexed.end(kind, labels, where, elements);
  }

  @Override
  public long count(boolean vertices, Set<String> labels, @Nullable ReadView view) {
    OpenTransaction running = running();
    try {
      return vertices
          ? running.tx().countVertices(labels, running.viewOf(view))
          : running.tx().countEdges(labels, running.viewOf(view));
    } catch (GraphMetaException e) {
      throw StructureErrors.translateRead(e);
    }
  }

  @Override
  public @Nullable PlanResults run(
      Plan plan,
      List<? extends Element> seeds,
      @Nullable ReadView view,
      Engine engine,
      Demand demand) {
    return run(plan, tx -> ElementReads.seeds(seeds), view, engine, demand);
  }

  @Override
  public @Nullable PlanResults runFrom(
      @Nullable Object[] ids, Plan plan, @Nullable ReadView view, Engine engine, Demand demand) {
    return run(
        plan,
        tx -> Seeds.vertices(tx.vertexKeys(ElementIds.forLookup(types, ids))),
        view,
        engine,
        demand);
  }

  private @Nullable PlanResults run(
      Plan plan,
      Function<GraphTransaction, Seeds> seeds,
      @Nullable ReadView view,
      Engine engine,
      Demand demand) {
    OpenTransaction running = running();
    long startedAt = running.writeCount();
    if (view == null && running.tx().hasWrites()) {
      return null;
    }
    try {
      PlanCursor run =
          running.tx().run(plan, seeds.apply(running.tx()), running.viewOf(view), engine, demand);
      return new PlannedElements(elements, plan, run, view, running, startedAt);
    } catch (GraphMetaException e) {
      throw StructureErrors.translateRead(e);
    }
  }

  @Override
  public boolean showsValuesAsStored() {
    return !types.takesArrays() && !types.takesObjects();
  }

  @Override
  public KnownTraversals knownTraversals() {
    return knownTraversals;
  }

  @Override
  public Adjacency expand(List<Vertex> frontier, Hop hop, @Nullable ReadView view) {
    return new FrontierExpansion(elements, frontier, hop, view);
  }

  @Override
  public Transaction tx() {
    return transaction;
  }

  @Override
  public Features features() {
    return features;
  }

  @Override
  public Configuration configuration() {
    return configuration;
  }

  @Override
  public ServiceRegistry getServiceRegistry() {
    return services;
  }

  @Override
  public Variables variables() {
    return new GraphMetaVariables(elements);
  }

  @Override
  public <C extends GraphComputer> C compute(Class<C> graphComputerClass) {
    throw Graph.Exceptions.graphComputerNotSupported();
  }

  @Override
  public GraphComputer compute() {
    throw Graph.Exceptions.graphComputerNotSupported();
  }

  /**
   * Ends this thread's transaction as {@code tx().onClose(...)} says, rolls back those of other
   * threads, and closes the database if the graph opened it. Safe to call again.
   */
  @Override
  public void close() {
    transaction.closeAll();
    if (ownsDatabase) {
      database.close();
    }
  }

  @Override
  public String toString() {
    return StringFactory.graphString(this, database.config().place());
  }
}
