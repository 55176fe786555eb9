package io.graphmeta.gremlin.suite;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.junit.runner.RunWith;

/**
 * TinkerPop's Gherkin features. Left out: what needs a graph computer, null values, or the services
 * of TinkerGraph.
 */
@RunWith(Cucumber.class)
@CucumberOptions(
    tags = "not @GraphComputerOnly and not @AllowNullPropertyValues and not @TinkerServiceRegistry",
    glue = "org.apache.tinkerpop.gremlin.features",
    features = "classpath:/org/apache/tinkerpop/gremlin/test/features",
    objectFactory = GherkinObjectFactory.class)
public class GherkinFeatures {}
