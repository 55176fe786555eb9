/** Tests of the shape of the server's code. Pure reading of classes; nothing is executed. */
@NullMarked
package io.graphmeta.server.architecture;

import org.jspecify.annotations.NullMarked;
