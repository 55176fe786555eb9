package io.graphmeta.archive;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A version that an archive holds.
 *
 * @param archive its name
 * @param isVertex whether it is one of a vertex, else of an edge
 * @param generatedId of the element, by its key
 * @param givenId the id that a user gave the element; null if there is none, or the archive does
 *     not tell, since the element was not dropped with its versions
 * @param label of the element
 * @param ends generated ids of the vertices that an edge leaves and enters; empty for a vertex
 * @param propertyKey null for the element itself
 * @param removed whether the element or the property ends
 * @param validStamp when it became true
 * @param committedStamp when the database learned it
 * @param values of the property, under its key, or of all properties that the element was created
 *     with
 */
public record ArchivedVersion(
    String archive,
    boolean isVertex,
    String generatedId,
    @Nullable String givenId,
    String label,
    String ends,
    @Nullable String propertyKey,
    boolean removed,
    long validStamp,
    long committedStamp,
    Map<String, Object> values) {}
