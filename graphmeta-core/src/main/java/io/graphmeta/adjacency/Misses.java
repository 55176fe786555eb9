package io.graphmeta.adjacency;

import java.util.Arrays;

/**
 * The units that a reader has to load, in the order of the rows of the store once they are sorted.
 * Belongs to one thread.
 */
final class Misses {
  private static final int RUN = 16;

  private long[] vertices = new long[16];

  /** Position among the keys that were asked for, and label id. */
  private long[] wanted = new long[16];

  private int size;

  void clear() {
    size = 0;
  }

  void add(long vertex, int index, int label) {
    if (size == vertices.length) {
      vertices = Arrays.copyOf(vertices, 2 * size);
      wanted = Arrays.copyOf(wanted, 2 * size);
    }
    vertices[size] = vertex;
    wanted[size++] = (long) label << 32 | index;
  }

  void addAll(Misses others) {
    for (int m = 0; m < others.size; m++) {
      add(others.vertices[m], others.index(m), others.label(m));
    }
  }

  int size() {
    return size;
  }

  long vertex(int at) {
    return vertices[at];
  }

  int index(int at) {
    return (int) wanted[at];
  }

  int label(int at) {
    return (int) (wanted[at] >>> 32);
  }

  void sort() {
    sort(0, size - 1);
  }

  private void sort(int first, int last) {
    int low = first;
    int high = last;
    while (high - low > RUN) {
      int less = low;
      int more = high;
      int middle = median(low, low + high >>> 1, high);
      long vertex = vertices[middle];
      long rest = wanted[middle];
      while (less <= more) {
        while (isBefore(vertices[less], wanted[less], vertex, rest)) {
          less++;
        }
        while (isBefore(vertex, rest, vertices[more], wanted[more])) {
          more--;
        }
        if (less <= more) {
          swap(less++, more--);
        }
      }
      if (more - low < high - less) {
        sort(low, more);
        low = less;
      } else {
        sort(less, high);
        high = more;
      }
    }
    insert(low, high);
  }

  private int median(int a, int b, int c) {
    if (isBefore(a, b)) {
      return isBefore(b, c) ? b : isBefore(a, c) ? c : a;
    }
    return isBefore(a, c) ? a : isBefore(b, c) ? c : b;
  }

  private void insert(int low, int high) {
    for (int i = low + 1; i <= high; i++) {
      for (int j = i; j > low && isBefore(j, j - 1); j--) {
        swap(j, j - 1);
      }
    }
  }

  private boolean isBefore(int a, int b) {
    return isBefore(vertices[a], wanted[a], vertices[b], wanted[b]);
  }

  /** The order of the rows: keys of vertices are unsigned. */
  private static boolean isBefore(long vertexA, long restA, long vertexB, long restB) {
    return vertexA == vertexB ? restA < restB : vertexA + Long.MIN_VALUE < vertexB + Long.MIN_VALUE;
  }

  private void swap(int a, int b) {
    long vertex = vertices[a];
    vertices[a] = vertices[b];
    vertices[b] = vertex;
    long rest = wanted[a];
    wanted[a] = wanted[b];
    wanted[b] = rest;
  }
}
