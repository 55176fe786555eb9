/** Tests of exports, and graphs with names that are hard to write down. */
package io.graphmeta.server.export;
