package io.graphmeta.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bench.report.LineChart.Axis;
import io.graphmeta.bench.report.LineChart.Scale;
import io.graphmeta.error.GraphMetaException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LineChartTest {
  private static final double[] XS = {1, 50, 100};

  private static LineChart chart(Scale vertical) {
    return new LineChart(
        "reads < writes & more",
        new Axis("degree", Scale.LINEAR),
        new Axis("messages", vertical),
        new Axis("vertices", Scale.LOGARITHMIC));
  }

  private static Document parsed(LineChart chart) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(chart.draw().getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document svg) {
    List<String> texts = new ArrayList<>();
    NodeList nodes = svg.getElementsByTagName("text");
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  private static double[] heights(Document svg, int line) {
    Element polyline = (Element) svg.getElementsByTagName("polyline").item(line);
    return java.util.Arrays.stream(polyline.getAttribute("points").split(" "))
        .mapToDouble(point -> Double.parseDouble(point.split(",")[1]))
        .toArray();
  }

  @Test
  void hasTitleAxesTicksAndLegend() throws Exception {
    LineChart chart = chart(Scale.LINEAR);
    chart.line("dido", "red", XS, new double[] {0, 1000, 2000});
    chart.lineOnRight("vertices of a degree", "gray", XS, new double[] {1000, 10, 1});
    assertThat(texts(parsed(chart)))
        .contains("reads < writes & more", "degree", "messages", "vertices", "dido")
        .contains("0", "500", "2,000", "100", "1", "10", "1,000");
  }

  @Test
  void aLinearAxisBeginsAtZeroAndKeepsRatios() throws Exception {
    LineChart chart = chart(Scale.LINEAR);
    chart.line("dido", "red", XS, new double[] {0, 1000, 2000});
    double[] heights = heights(parsed(chart), 0);
    assertThat(heights[0] - heights[1]).isCloseTo(heights[1] - heights[2], within(1.0));
    assertThat(heights[0]).isGreaterThan(heights[2]);
  }

  @Test
  void aLogarithmicAxisHasOneDistanceForOneFactor() throws Exception {
    LineChart chart = chart(Scale.LOGARITHMIC);
    chart.line("dido", "red", XS, new double[] {2, 200, 20_000});
    double[] heights = heights(parsed(chart), 0);
    assertThat(heights[0] - heights[1]).isCloseTo(heights[1] - heights[2], within(1.0));
    assertThat(texts(parsed(chart))).contains("1", "10", "100,000");
  }

  @Test
  void aLongLegendGoesOnInAnotherRow() throws Exception {
    LineChart chart = chart(Scale.LINEAR);
    for (int line = 0; line < 12; line++) {
      chart.line("a rather long name " + line, "red", XS, XS);
    }
    Document svg = parsed(chart);
    int width = Integer.parseInt(svg.getDocumentElement().getAttribute("width"));
    NodeList nodes = svg.getElementsByTagName("text");
    for (int i = 0; i < nodes.getLength(); i++) {
      Element text = (Element) nodes.item(i);
      if (text.getTextContent().startsWith("a rather")) {
        double end =
            Double.parseDouble(text.getAttribute("x")) + 6 * text.getTextContent().length();
        assertThat(end).isLessThan(width);
      }
    }
  }

  @Test
  void refusesWhatCannotBeDrawn() {
    assertThatThrownBy(() -> chart(Scale.LINEAR).draw())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("has no lines");
    LineChart chart = chart(Scale.LOGARITHMIC);
    chart.line("dido", "red", XS, new double[] {0, 1, 2});
    assertThatThrownBy(chart::draw)
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("0.0 on a logarithmic axis");
  }

  private static org.assertj.core.data.Offset<Double> within(double pixels) {
    return org.assertj.core.data.Offset.offset(pixels);
  }
}
