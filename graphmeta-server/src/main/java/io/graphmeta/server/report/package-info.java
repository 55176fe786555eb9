/**
 * The report of a job as one page of HTML, with all that it needs within it: no script, nothing
 * from a network. Entry class: {@link io.graphmeta.server.report.ReportPage}, which makes a page of
 * a {@link io.graphmeta.server.report.JobReport}; {@link io.graphmeta.server.report.ReportFile}
 * puts it on the disk. Nothing here knows the graph. Pages are made by one thread; what they are
 * made of is immutable.
 *
 * <p>Names in a report come from users: {@link io.graphmeta.server.report.HtmlWriter} is the only
 * way of a text into a page, and escapes each. The page forbids scripts, frames, forms and
 * connections by a policy of its own, whatever might get past.
 */
@NullMarked
package io.graphmeta.server.report;

import org.jspecify.annotations.NullMarked;
