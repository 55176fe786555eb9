package io.graphmeta.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.protocol.Request;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which requests are let through to a store that belongs to another process. */
class ReadOnlyRequestsTest {
  @Test
  void whatIsNotReadingIsRefused() {
    Set<String> refused =
        Arrays.stream(Request.class.getPermittedSubclasses())
            .filter(
                kind -> !ReadOnlyRequests.READS.contains(kind) && kind != Request.Snapshot.class)
            .map(Class::getSimpleName)
            .collect(Collectors.toSet());
    assertThat(refused)
        .as("a new kind of request is refused until it is listed as reading")
        .containsExactlyInAnyOrder(
            "Commit",
            "Prepare",
            "Resolve",
            "Inquire",
            "Lease",
            "ReadHot",
            "GiveEntries",
            "TakeEntries",
            "HoldEntries",
            "EndMove",
            "Define",
            "TakeCheckpoint",
            "ListFiles",
            "ReadFile",
            "SumFile",
            "KeepCheckpoint",
            "Clear",
            "ReadMembers",
            "ReadReplica",
            "RequireRoom",
            "ReadExpired",
            "NoteDropped",
            "DropRows",
            "EndDropping",
            "FollowerRead",
            "FollowerTraversal",
            "NoteSettled",
            "ReadTerm",
            "HandOver");
  }
}
