package io.graphmeta.gremlin.suite;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.runner.RunWith;

/** TinkerPop's structure suite. */
@RunWith(StructureStandardSuite.class)
@GraphProviderClass(provider = GraphMetaProvider.class, graph = GraphMetaGraph.class)
public class StructureSuite {}
