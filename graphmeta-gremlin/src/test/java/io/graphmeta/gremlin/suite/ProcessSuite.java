package io.graphmeta.gremlin.suite;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.process.ProcessEmbeddedStandardSuite;
import org.junit.runner.RunWith;

/** TinkerPop's process suite. */
@RunWith(ProcessEmbeddedStandardSuite.class)
@GraphProviderClass(provider = GraphMetaProvider.class, graph = GraphMetaGraph.class)
public class ProcessSuite {}
