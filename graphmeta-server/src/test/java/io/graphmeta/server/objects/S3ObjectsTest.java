package io.graphmeta.server.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects in a service that speaks S3, over a real connection. */
@Timeout(120)
class S3ObjectsTest {
  @TempDir private Path directory;

  private FakeS3 service;

  @BeforeEach
  void begin() throws IOException {
    service = new FakeS3();
  }

  @AfterEach
  void end() {
    service.close();
  }

  private S3Objects objects(String url) {
    return new S3Objects(S3Place.of(url, service.endpoint(), ""));
  }

  private Path file(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return Files.write(directory.resolve("file-" + bytes), content);
  }

  private static byte[] read(S3Objects objects, String name) throws IOException {
    try (InputStream in = objects.open(name)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://backups", "s3://backups/", "s3://backups/a/b", "s3://backups/c/"})
  void whatIsPutIsListedReadAndRemoved(String url) throws IOException {
    service.objects.put("ab", new byte[1]); // beside all prefixes
    service.objects.put("a/bc", new byte[1]);
    try (S3Objects objects = objects(url)) {
      int before = objects.list().size();
      for (int i = 0; i < 8; i++) {
        objects.put("files/" + i, file(i * 100_000));
      }
      assertThat(objects.list()).hasSize(before + 8).containsEntry("files/3", 300_000L);
      for (int i = 0; i < 8; i++) {
        assertThat(read(objects, "files/" + i)).isEqualTo(Files.readAllBytes(file(i * 100_000)));
      }
      objects.put("files/3", file(7));
      objects.delete("files/4");
      objects.delete("files/4");
      assertThat(objects.list()).hasSize(before + 7).containsEntry("files/3", 7L);
      assertThatThrownBy(() -> objects.open("files/4")).isInstanceOf(NoSuchFileException.class);
    }
    assertThat(service.objects).containsKeys("ab", "a/bc");
  }

  @Test
  void aBusyServiceIsAskedAgain() throws IOException {
    try (S3Objects objects = objects("s3://backups/a")) {
      service.busy.set(2);
      objects.put("x", file(1_000));
      service.busy.set(2);
      assertThat(objects.list()).containsOnlyKeys("x");
      assertThat(service.requests.get()).isEqualTo(6);
    }
  }

  @Test
  void whatIsChangedOnTheWayIsRefused() throws IOException {
    try (S3Objects objects = objects("s3://backups/a")) {
      service.changes = true;
      assertThatThrownBy(() -> objects.put("x", file(100_000)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("s3://backups/a at http://127.0.0.1")
          .hasMessageContaining("400 BadDigest");
      assertThat(service.objects).isEmpty();
    }
  }

  @Test
  void whatIsCutOffIsNoEnd() throws IOException {
    try (S3Objects objects = objects("s3://backups/a")) {
      objects.put("x", file(100_000));
      service.cuts = true;
      assertThatThrownBy(() -> read(objects, "x"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("50000 of the 100000 bytes");
    }
  }

  @Test
  void errorsSayWhatToDo() throws IOException {
    try (S3Objects other = objects("s3://other/a")) {
      assertThatThrownBy(other::list)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("404 NoSuchBucket")
          .hasMessageContaining("make the bucket first");
    }
    System.setProperty("aws.accessKeyId", "AKIDOTHER");
    try (S3Objects objects = objects("s3://backups/a")) {
      assertThatThrownBy(() -> objects.put("x", file(10)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("403 InvalidAccessKeyId: The key is not known")
          .hasMessageContaining("AWS_SECRET_ACCESS_KEY");
    }
    service.close();
    try (S3Objects objects = objects("s3://backups/a")) {
      assertThatThrownBy(objects::list)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot be asked");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"backups", "s3:/backups", "s3://", "s3://B/c", "http://backups/a", "s3://bb/a//b"})
  void otherPlacesAreRefused(String url) {
    assertThatThrownBy(() -> S3Place.of(url, null, ""))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining(url);
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3.example.org", "ftp://s3.example.org", "https://", "https://a b"})
  void otherEndpointsAreRefused(String endpoint) {
    assertThatThrownBy(() -> S3Place.of("s3://backups/a", endpoint, ""))
        .hasMessageContaining(endpoint)
        .hasMessageContaining("https://s3.example.org:9000");
  }
}
