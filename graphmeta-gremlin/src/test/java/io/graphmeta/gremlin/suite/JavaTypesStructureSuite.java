package io.graphmeta.gremlin.suite;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import org.apache.tinkerpop.gremlin.GraphProviderClass;
import org.apache.tinkerpop.gremlin.structure.StructureStandardSuite;
import org.junit.runner.RunWith;

/** TinkerPop's structure suite, on a graph that takes arrays and objects too. */
@RunWith(StructureStandardSuite.class)
@GraphProviderClass(provider = JavaTypesProvider.class, graph = GraphMetaGraph.class)
public class JavaTypesStructureSuite {}
