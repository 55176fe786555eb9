package io.graphmeta.gremlin.suite;

import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.junit.runner.RunWith;

/**
 * TinkerPop's process suite, on a graph whose class has the name that some of its tests ask for.
 */
@RunWith(ProcessEmbeddedStandardSuite.class)
@GraphProviderClass(provider = NamedGraphProvider.class, graph = TinkerGraph.class)
public class NamedProcessSuite {}
