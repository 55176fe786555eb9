package io.graphmeta.gremlin.suite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * What one run of a suite came to.
 *
 * @param started tests that were begun
 * @param failed tests that failed
 * @param ignored tests that TinkerPop itself switched off
 * @param skips number of tests skipped for each reason
 */
record SuiteResult(int started, int failed, int ignored, Map<String, Integer> skips) {
  int skipped() {
    return skips.values().stream().mapToInt(Integer::intValue).sum();
  }

  int passed() {
    return started - failed - skipped();
  }

  /** Counts the tests of one run, and keeps some out. */
  static final class Listener extends RunListener {
    /** Compares files in which vertices stand in the order of the graph. */
    private static final String NEEDS_ORDER = "shouldWriteNormalizedGraphSON";

    /** Needs a file from a web site; whether it runs says nothing about the graph. */
    private static final String NEEDS_NETWORK = "shouldProperlyEncodeWithGraphML";

    private final List<Failure> failures = new ArrayList<>();
    private final List<Failure> assumptions = new ArrayList<>();
    private final Map<String, Integer> skips = new TreeMap<>();
    private final Set<Description> keptOut = new HashSet<>();
    private int started;
    private int ignored;

    /** Keeps out, and counts as skipped, what cannot pass in the variant. */
    Filter filter(Variant variant) {
      return new Filter() {
        @Override
        public boolean shouldRun(Description description) {
          if (variant != Variant.SHUFFLED || !NEEDS_ORDER.equals(description.getMethodName())) {
            return true;
          }
          if (keptOut.add(description)) {
            started++;
            skips.merge(SkipReasons.ORDER, 1, Integer::sum);
          }
          return false;
        }

        @Override
        public String describe() {
          return "tests that can pass " + variant;
        }
      };
    }

    @Override
    public void testStarted(Description description) {
      started++;
      if (NEEDS_NETWORK.equals(description.getMethodName())) {
        skips.merge(SkipReasons.NETWORK, 1, Integer::sum);
      }
    }

    @Override
    public void testFailure(Failure failure) {
      failures.add(failure);
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
      assumptions.add(failure);
      if (!NEEDS_NETWORK.equals(failure.getDescription().getMethodName())) {
        skips.merge(SkipReasons.of(failure.getMessage()), 1, Integer::sum);
      }
    }

    @Override
    public void testIgnored(Description description) {
      ignored++;
    }

    SuiteResult result() {
      return new SuiteResult(started, failures.size(), ignored, skips);
    }

    List<Failure> failures() {
      return failures;
    }

    /** Everything that did not pass, with traces of the failures. */
    String details() {
      StringBuilder details = new StringBuilder();
      for (Failure failure : failures) {
        details.append("failed ").append(failure.getDescription()).append('\n');
        details.append(failure.getTrace()).append('\n');
      }
      for (Failure skip : assumptions) {
        details.append("skipped ").append(skip.getDescription()).append(": ");
        details.append(skip.getMessage()).append('\n');
      }
      return details.toString();
    }
  }
}
