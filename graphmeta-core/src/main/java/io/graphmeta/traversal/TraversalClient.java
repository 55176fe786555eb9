package io.graphmeta.traversal;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.router.Router;
import io.graphmeta.router.TraversalShards;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.search.ElementLabel;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs plans on the shards, for transactions. Safe for use by many threads. */
public final class TraversalClient {
  private final Router router;
  private final int maxRows;
  private final RestingTraversals resting;

  /**
   * Runs plans on the shards of a router.
   *
   * @param maxRows most ends of paths that a client keeps at a time
   * @param maxOpen most traversals that the shards keep for results to be asked for
   */
  public TraversalClient(Router router, int maxRows, int maxOpen) {
    this.router = router;
    this.maxRows = maxRows;
    this.resting = new RestingTraversals(maxOpen);
  }

  /**
   * Runs a plan. Close what it returns. A run that a shard has lost is begun again as long as it
   * has returned no result. A view of the past is read at replicas near here, where there are any,
   * and else or if that comes to nothing at those that lead.
   *
   * <p>A plan of which few results are wanted is run in slices, whatever the engine and the demand
   * are. Without a limit, {@link Engine#ASYNC} takes no slices on several shards.
   *
   * @param seeds what a plan with a given source begins with
   * @param view what is read
   */
  public PlanCursor run(Plan plan, Seeds seeds, ReadView view, Engine engine, Demand demand) {
    requireRangeOfResults(plan);
    requireSeeds(plan, seeds);
    if (Plan.mixesRounds(plan.steps())) {
      throw GraphMetaException.invalid(
          "A plan keeps elements once in a loop that counts its rounds, and elements come to it by"
              + " ways of different lengths; expected the two in plans of their own: "
              + plan);
    }
    Plan bound = scanningAllLabels(plan, view);
    TraversalShards nearby = nearby(bound, view);
    return new RepeatedRuns(
        nearby == null ? null : () -> runOnce(nearby, bound, seeds, view, engine, demand),
        () -> runOnce(router, bound, seeds, view, engine, demand));
  }

  private PlanCursor runOnce(
      TraversalShards shards,
      Plan bound,
      Seeds seeds,
      ReadView view,
      Engine engine,
      Demand demand) {
    TraversalId id = router.newTraversal();
    if (bound.needsPaths()) {
      return new PathCursor(
          bound,
          seeds,
          engine,
          new PathShards(shards, bound, NamesInPlan.of(bound, view, router), view),
          maxRows,
          demand,
          (other, from, how) -> run(other, from, view, engine, how));
    }
    PlanNames names = NamesInPlan.of(bound, view, router);
    boolean async = engine == Engine.ASYNC && shards.shards() > 1;
    boolean limited = bound.range().high() < Long.MAX_VALUE;
    boolean asAsked = demand == Demand.AS_ASKED && !(bound.result() instanceof PlanResult.Count);
    boolean inSlices = bound.canBeSliced() && (limited || asAsked && !async);
    // What comes first in a loop that counts its rounds, only levels can tell.
    boolean inLevels = !async || bound.dependsOnRounds();
    if (!inSlices) {
      Driver driver =
          inLevels
              ? new LevelDriver(shards, id, bound, names, view, engine, false)
              : new AsyncDriver(shards, id, bound, names, view);
      return new ShardResults(router, bound, resting, begun(driver, seeds), false, null);
    }
    Driver slices = new LevelDriver(shards, id, bound, names, view, engine, true);
    Supplier<Driver> levels =
        () ->
            begun(
                new LevelDriver(shards, router.newTraversal(), bound, names, view, engine, false),
                seeds);
    return new ShardResults(
        router, bound, resting, begun(slices, seeds), true, bound.hops() ? levels : null);
  }

  private static Driver begun(Driver driver, Seeds seeds) {
    try {
      driver.run(seeds);
      return driver;
    } catch (RuntimeException e) {
      driver.close();
      throw e;
    }
  }

  private static void requireRangeOfResults(Plan plan) {
    if (plan.hasSeveralResultsOfOne() && !plan.range().isAll()) {
      throw GraphMetaException.invalid(
          "A plan for "
              + plan.result()
              + ", of which one element may have several, has range "
              + plan.range()
              + ", which counts elements; expected all");
    }
  }

  private static void requireSeeds(Plan plan, Seeds seeds) {
    boolean given = plan.source() instanceof PlanSource.Given;
    boolean vertices = given && plan.source().kind() == ElementKind.VERTEX;
    boolean edges = given && plan.source().kind() == ElementKind.EDGE;
    if (seeds.vertices().length > 0 && !vertices || !seeds.edges().isEmpty() && !edges) {
      throw GraphMetaException.invalid(
          seeds.vertices().length
              + " vertices and "
              + seeds.edges().size()
              + " edges were given to a plan with source "
              + plan.source());
    }
  }

  /**
   * The replicas to run a plan on; null for those that lead. A plan that begins with a label that
   * has indexes is run there: only they have these.
   */
  private @Nullable TraversalShards nearby(Plan bound, ReadView view) {
    TraversalShards nearby = router.traversedNearby(view.snapshot());
    boolean isSearched =
        nearby != null
            && bound.source() instanceof PlanSource.Scan scan
            && isIndexed(scan, bound, view);
    return isSearched ? null : nearby;
  }

  private boolean isIndexed(PlanSource.Scan scan, Plan bound, ReadView view) {
    PlanNames names = NamesInPlan.of(bound, view, router);
    Map<String, Integer> ids =
        scan.kind() == ElementKind.VERTEX ? names.vertexLabels() : names.edgeLabels();
    return scan.labels().stream()
        .map(ids::get)
        .anyMatch(id -> id != null && router.isIndexed(new ElementLabel(scan.kind(), id)));
  }

  /**
   * The plan with all labels by name: of vertices, since those of reserved labels are not to be
   * seen; of edges, if indexes name them, which are asked for labels.
   */
  private Plan scanningAllLabels(Plan plan, ReadView view) {
    if (!(plan.source() instanceof PlanSource.Scan scan) || !scan.labels().isEmpty()) {
      return plan;
    }
    List<String> labels;
    if (scan.kind() == ElementKind.VERTEX) {
      labels =
          router.schemaAt(view.snapshot()).names(NameKind.VERTEX_LABEL).stream()
              .map(SchemaName::name)
              .filter(name -> !GeneratedIds.isReserved(name))
              .toList();
    } else {
      Condition.And where = plan.firstCondition();
      List<SchemaName> named =
          where.of().isEmpty() ? null : router.searchedEdgeLabels(where, view.snapshot());
      if (named == null) {
        return plan;
      }
      labels = named.stream().map(SchemaName::name).toList();
    }
    return new Plan(
        new PlanSource.Scan(scan.kind(), labels), plan.steps(), plan.range(), plan.result());
  }
}
