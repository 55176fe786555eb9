/**
 * Objects in services that speak S3, those of Amazon or of an own machine (Ceph, MinIO), as backups
 * are kept there. The only place that knows the library for it. Called by commands, one thread
 * each.
 */
@NullMarked
package io.graphmeta.server.objects;

import org.jspecify.annotations.NullMarked;
