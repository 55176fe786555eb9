package io.graphmeta.server.gremlin.wire;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Buffers that do not grow beyond the largest message. Safe for use by many threads. */
final class LimitedAllocator extends AbstractByteBufAllocator {
  private final ByteBufAllocator allocator;
  private final int maxBytes;

  LimitedAllocator(ByteBufAllocator allocator, int maxBytes) {
    super(true);
    this.allocator = allocator;
    this.maxBytes = maxBytes;
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return allocator.heapBuffer(
        Math.min(initialCapacity, maxBytes), Math.min(maxCapacity, maxBytes));
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return allocator.directBuffer(
        Math.min(initialCapacity, maxBytes), Math.min(maxCapacity, maxBytes));
  }

  @Override
  public boolean isDirectBufferPooled() {
    return allocator.isDirectBufferPooled();
  }
}
