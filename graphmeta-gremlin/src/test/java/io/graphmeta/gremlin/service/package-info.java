/** Tests of the services over small graphs made by hand. */
@org.jspecify.annotations.NullMarked
package io.graphmeta.gremlin.service;
