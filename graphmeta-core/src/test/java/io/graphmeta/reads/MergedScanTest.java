package io.graphmeta.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.PagedShards.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A failure names its seed; {@code -Dgraphmeta.seed=N} runs it alone. */
class MergedScanTest {
  private static final ReadView VIEW = ReadView.at(1);

  @Test
  void pagesOfAllShardsComeInTheOrderOfTheirKeys() {
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given; seed <= (given == null ? 500 : given); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      boolean edges = random.nextBoolean();
      int pageElements = 1 + random.nextInt(5);
      PagedShards shards = new PagedShards(1 + random.nextInt(5), pageElements);
      Set<Element> all = new TreeSet<>(Element.ORDER);
      for (int i = random.nextInt(40); i > 0; i--) {
        // Few owners, some of which are negative as signed numbers: edges of one on all shards.
        long owner = random.nextInt(edges ? 6 : 1000) * 0x2aaa_aaaa_aaaa_aaabL;
        all.add(
            edges
                ? new Element(owner, 1 + random.nextInt(2), random.nextInt(3) - 1, i)
                : new Element(owner, 0, 0, 0));
      }
      all.forEach(each -> shards.on(random.nextInt(shards.router().shards())).add(each));
      List<ElementPage> pages = new ArrayList<>();
      MergedScan scan = scan(shards, edges, pages);

      List<Element> found = new ArrayList<>();
      while (scan.next()) {
        found.add(Element.at(scan.page(), scan.element(), edges));
      }
      assertThat(found).as("seed %s", seed).containsExactlyElementsOf(all);
      assertThat(scan.next()).as("behind the end, seed %s", seed).isFalse();
      int expected = 0;
      for (int shard = 0; shard < shards.router().shards(); shard++) {
        int size = shards.on(shard).size();
        int requests = Math.max(1, (size + pageElements - 1) / pageElements);
        assertThat(shards.requests(shard)).as("seed %s", seed).isEqualTo(requests);
        expected += requests;
      }
      assertThat(pages).as("seed %s", seed).hasSize(expected);
    }
  }

  private static MergedScan scan(PagedShards shards, boolean edges, List<ElementPage> pages) {
    return new MergedScan(
        shards.router(),
        from ->
            edges
                ? new Request.ScanEdges(Set.of(), VIEW, Detail.KEYS, from)
                : new Request.ScanVertices(0, VIEW, Detail.KEYS, from),
        pages::add);
  }

  @Test
  void nothingIsAskedForBeforeItIsWanted() {
    PagedShards shards = new PagedShards(2, 2);
    for (long key = 1; key <= 6; key++) {
      shards.on((int) (key % 2)).add(new Element(key, 0, 0, 0));
    }
    MergedScan scan = scan(shards, false, new ArrayList<>());
    assertThat(shards.requests(0) + shards.requests(1)).isZero();
    scan.next();
    scan.next();
    assertThat(shards.requests(0) + shards.requests(1)).isEqualTo(2);
    for (int i = 0; i < 4; i++) {
      assertThat(scan.next()).isTrue();
    }
    assertThat(shards.requests(0)).isEqualTo(2);
    assertThat(shards.requests(1)).isEqualTo(2);
  }
}
