package io.graphmeta.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The metrics of one server. Names begin with {@code graphmeta_}; those of the JVM are
 * Micrometer's.
 */
public final class ServerMetrics implements AutoCloseable {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final List<Family> families = new CopyOnWriteArrayList<>();

  /** Where gauges are added. */
  public interface Gauges {
    /** As {@link ServerMetrics#gauge}, one of several that tags tell apart. */
    void gauge(String name, String description, Map<String, String> tags, DoubleSupplier value);
  }

  /** The gauges of things that come and go. Guarded by itself. */
  private final class Family {
    private final Supplier<Set<String>> present;
    private final BiConsumer<String, Gauges> adds;
    private final Map<String, List<Meter>> added = new HashMap<>();

    Family(Supplier<Set<String>> present, BiConsumer<String, Gauges> adds) {
      this.present = present;
      this.adds = adds;
    }

    synchronized void look() {
      Set<String> now = present.get();
      added
          .entrySet()
          .removeIf(
              each -> {
                boolean isGone = !now.contains(each.getKey());
                if (isGone) {
                  each.getValue().forEach(registry::remove);
                }
                return isGone;
              });
      for (String each : now) {
        if (!added.containsKey(each)) {
          List<Meter> meters = new ArrayList<>();
          adds.accept(
              each,
              (name, description, tags, value) ->
                  meters.add(registered(name, description, tags, value)));
          added.put(each, meters);
        }
      }
    }
  }

  /** Metrics of this JVM, and none of the server yet. */
  public ServerMetrics() {
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  /**
   * A query has ended.
   *
   * @param kind what was asked for, such as script
   * @param outcome done, or the kind of the failure
   */
  public void queryEnded(String kind, String outcome, long nanos) {
    Timer.builder("graphmeta.queries")
        .description("Queries by what was asked for and what came of it, with their time")
        .tag("kind", kind)
        .tag("outcome", outcome)
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /** A request was refused before it was evaluated. */
  public void requestRefused(String kind) {
    Counter.builder("graphmeta.requests.refused")
        .description("Requests that were refused before they were evaluated")
        .tag("kind", kind)
        .register(registry)
        .increment();
  }

  /** Someone tried to log in. */
  public void loggedIn(boolean welcome) {
    Counter.builder("graphmeta.logins")
        .description("Attempts to log in")
        .tag("outcome", welcome ? "done" : "unauthorized")
        .register(registry)
        .increment();
  }

  /** A value that is asked for each time the metrics are read. */
  public void gauge(String name, String description, DoubleSupplier value) {
    Gauge.builder(name, value::getAsDouble).description(description).register(registry);
  }

  private Gauge registered(
      String name, String description, Map<String, String> tags, DoubleSupplier value) {
    Gauge.Builder<?> gauge = Gauge.builder(name, value::getAsDouble).description(description);
    tags.forEach(gauge::tag);
    return gauge.register(registry);
  }

  /**
   * Gauges of things that come and go. Each time the metrics are read, those of new ones are added,
   * and those of others are there no more.
   *
   * @param present the names of those that are there
   * @param adds adds the gauges of one
   */
  public void gaugesOf(Supplier<Set<String>> present, BiConsumer<String, Gauges> adds) {
    families.add(new Family(present, adds));
  }

  /** A count that only grows, asked for each time the metrics are read. */
  public void count(String name, String description, DoubleSupplier value) {
    FunctionCounter.builder(name, value, DoubleSupplier::getAsDouble)
        .description(description)
        .register(registry);
  }

  /** All of them, as text in Prometheus' format 0.0.4. */
  public String text() {
    families.forEach(Family::look);
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
