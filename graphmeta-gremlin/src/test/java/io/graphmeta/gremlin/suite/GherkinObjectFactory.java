package io.graphmeta.gremlin.suite;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Stage;
import io.cucumber.guice.CucumberModules;
import org.apache.tinkerpop.gremlin.features.AbstractGuiceFactory;
import org.apache.tinkerpop.gremlin.features.World;

/** Hands the world of GraphMeta to the step definitions. */
public final class GherkinObjectFactory extends AbstractGuiceFactory {
  /** Called by Cucumber. */
  public GherkinObjectFactory() {
    super(
        Guice.createInjector(
            Stage.PRODUCTION,
            CucumberModules.createScenarioModule(),
            new AbstractModule() {
              @Override
              protected void configure() {
                bind(World.class).to(GherkinWorld.class);
              }
            }));
  }
}
