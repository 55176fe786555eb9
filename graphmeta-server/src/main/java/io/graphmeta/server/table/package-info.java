/**
 * Rows of cells as text: CSV for programs and spreadsheets, tables for people. Rows are written as
 * they come; only the first {@value io.graphmeta.server.table.RowWriter#LOOKAHEAD_ROWS} are kept,
 * to know the columns and their widths. Knows neither the graph nor the terminal; entered by {@link
 * io.graphmeta.server.table.RowWriter}, each of which one thread uses.
 */
@NullMarked
package io.graphmeta.server.table;

import org.jspecify.annotations.NullMarked;
