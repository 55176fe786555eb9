/**
 * A lineage as a picture: folded to boxes, put into words, placed, and written as SVG. Entry
 * classes: {@link io.graphmeta.server.picture.LineagePicture} makes a {@link
 * io.graphmeta.server.picture.Picture}, and {@link io.graphmeta.server.picture.SvgForm} writes it.
 * The view in the browser draws the same pictures, and with the same style sheet.
 *
 * <p>Names of files, jobs and commands are chosen by users, and anything can be in them. They
 * become text here, {@linkplain io.graphmeta.server.picture.VisibleText with characters that cannot
 * be seen made visible}, and never anything else.
 *
 * <p>Pure, but for the style sheet, which is a resource. Called by the command line and by the
 * server. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.server.picture;

import org.jspecify.annotations.NullMarked;
