// Package drivers tests GraphMeta through gremlin-go. PORT and GRAPHMETA_TOKEN come from the environment.
package drivers

import (
	"fmt"
	"math/big"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
	"github.com/google/uuid"
)

const (
	config = "/proj/hx01/config/model.cfg"
	figure = "/scratch/amira/sweep1/figure.svg"
)

var (
	moment   = time.Date(2026, 11, 21, 0, 35, 25, 0, time.UTC)
	services = []string{
		"graphmeta.backup", "graphmeta.check", "graphmeta.diff", "graphmeta.history", "graphmeta.impact", "graphmeta.index",
		"graphmeta.lineage", "graphmeta.load", "graphmeta.placement", "graphmeta.search", "graphmeta.session", "graphmeta.status", "graphmeta.top",
	}
	label = gremlingo.T.Label
	id    = gremlingo.T.Id
	anon  = gremlingo.T__
)

func url() string {
	return "ws://localhost:" + os.Getenv("PORT") + "/gremlin"
}

func quiet(settings *gremlingo.DriverRemoteConnectionSettings) {
	settings.LogVerbosity = gremlingo.Off
	settings.AuthInfo = gremlingo.BasicAuthInfo("token", os.Getenv("GRAPHMETA_TOKEN"))
}

func open(t *testing.T) *gremlingo.GraphTraversalSource {
	t.Helper()
	connection, err := gremlingo.NewDriverRemoteConnection(url(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(connection.Close)
	return gremlingo.Traversal_().With(connection)
}

func one(t *testing.T, traversal *gremlingo.GraphTraversal) interface{} {
	t.Helper()
	result, err := traversal.Next()
	if err != nil {
		t.Fatal(err)
	}
	return result.GetInterface()
}

func all(t *testing.T, traversal *gremlingo.GraphTraversal) []*gremlingo.Result {
	t.Helper()
	results, err := traversal.ToList()
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func do(t *testing.T, traversal *gremlingo.GraphTraversal) {
	t.Helper()
	if err := <-traversal.Iterate(); err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, traversal *gremlingo.GraphTraversal) bool {
	t.Helper()
	there, err := traversal.HasNext()
	if err != nil {
		t.Fatal(err)
	}
	return there
}

func equal(t *testing.T, expected, actual interface{}, of interface{}) {
	t.Helper()
	if !reflect.DeepEqual(expected, actual) {
		t.Errorf("%v: expected %v (%T), got %v (%T)", of, expected, expected, actual, actual)
	}
}

func refused(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %s", err.Error(), part)
		}
	}
}

func TestSessionGoesOnElsewhere(t *testing.T) {
	// A token a little ahead tells whether it was heeded: without it the server would read below.
	g := open(t)
	client, err := gremlingo.NewClient(url(), func(settings *gremlingo.ClientSettings) {
		settings.LogVerbosity = gremlingo.Off
		settings.AuthInfo = gremlingo.BasicAuthInfo("token", os.Getenv("GRAPHMETA_TOKEN"))
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	added, err := client.Submit("g.addV('note').property(id, 'session:go').id()")
	if err != nil {
		t.Fatal(err)
	}
	if results, err := added.All(); err != nil || len(results) != 1 {
		t.Fatal(results, err)
	}
	written := added.GetStatusAttributes()["graphmeta.session"].(string)
	if seen := one(t, g.Call("graphmeta.session")).(string); seen < written {
		t.Errorf("%s is below %s", seen, written)
	}
	stamp, err := strconv.ParseInt(written, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	ahead := fmt.Sprintf("%016x", stamp+(200_000<<10))
	there := g.With("graphmeta.session", ahead)
	if seen := one(t, there.Call("graphmeta.session")).(string); seen < ahead {
		t.Errorf("%s is below %s", seen, ahead)
	}
	if count := one(t, there.V("session:go").Count()); count != int64(1) {
		t.Error("the vertex is not seen:", count)
	}
	if _, err := g.With("graphmeta.session", "2026-11-21").V().Next(); err == nil || !strings.Contains(err.Error(), "is not a session token") {
		t.Error("expected to be refused:", err)
	}
	do(t, g.V("session:go").Drop())
}

func TestExample(t *testing.T) {
	port := os.Getenv("PORT")
	// [example]
	connection, err := gremlingo.NewDriverRemoteConnection("ws://localhost:"+port+"/gremlin",
		func(settings *gremlingo.DriverRemoteConnectionSettings) {
			settings.AuthInfo = gremlingo.BasicAuthInfo("token", os.Getenv("GRAPHMETA_TOKEN"))
		})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	g := gremlingo.Traversal_().With(connection)

	now, _ := g.V().HasLabel("job").Count().Next()
	moment := time.Date(2026, 11, 21, 0, 35, 25, 0, time.UTC)
	then, _ := g.With("asOf", moment).V().HasLabel("job").Count().Next()
	known, _ := g.With("knownAt", "2026-11-01T00:00:00Z").V().Count().Next()
	// [end]
	equal(t, int64(79), now.GetInterface(), "now")
	equal(t, int64(18), then.GetInterface(), "then")
	equal(t, int64(0), known.GetInterface(), "known")
}

func TestRead(t *testing.T) {
	g := open(t)
	counts := one(t, g.V().GroupCount().By(label)).(map[interface{}]interface{})
	equal(t, int64(79), counts["job"], "jobs")
	equal(t, int64(233), counts["process"], "processes")
	job := one(t, g.V("job:184268").ElementMap("name", "state")).(map[interface{}]interface{})
	equal(t, "sw1_k0.064_r3", job["name"], "name")
	path := one(t, g.V(config).In("wrote").In("contains").Path()).(*gremlingo.Path)
	equal(t, config, path.Objects[0].(*gremlingo.Vertex).Id, "path")
}

func search(t *testing.T, g *gremlingo.GraphTraversalSource, parameters map[interface{}]interface{}) []*gremlingo.Result {
	t.Helper()
	return all(t, g.Call("graphmeta.search", parameters))
}

// Loaded a moment ago, and searched without a word about indexes.
func TestSearch(t *testing.T) {
	g := open(t)
	found := false
	for _, each := range search(t, g, map[interface{}]interface{}{"query": "model cfg", "label": "file"}) {
		vertex, err := each.GetVertex()
		if err != nil {
			t.Fatal(err)
		}
		found = found || vertex.Id == config
	}
	equal(t, true, found, config)
	past := g.With("asOf", moment)
	pending := search(t, past, map[interface{}]interface{}{
		"query": "state:PENDING", "label": "job", "sort": "id", "limit": 1000,
	})
	equal(t, one(t, past.V().Has("job", "state", "PENDING").Count()), int64(len(pending)), "pending")
	states := map[interface{}]interface{}{"query": "state:COMPLETED OR state:FAILED", "facet": "state"}
	for _, each := range search(t, g, states) {
		counted := each.GetInterface().(map[interface{}]interface{})
		count := one(t, g.V().Has("job", "state", counted["value"]).Count())
		equal(t, count, counted["count"], counted["value"])
	}
	_, err := g.Call("graphmeta.search", map[interface{}]interface{}{"query": "(model"}).ToList()
	refused(t, err, "(model", "cannot be read")
}

func TestAsOf(t *testing.T) {
	g := open(t)
	for _, at := range []interface{}{moment, "2026-11-21T00:35:25Z", "2026-11-21T01:35:25+01:00", moment.UnixMilli()} {
		source := g.With("asOf", at)
		equal(t, int64(18), one(t, source.V().HasLabel("job").Count()), at)
		equal(t, "PENDING", one(t, source.V("job:184268").Values("state")), at)
	}
	equal(t, "COMPLETED", one(t, g.V("job:184268").Values("state")), "now")
}

func TestKnownAt(t *testing.T) {
	g := open(t)
	before := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for _, at := range []interface{}{before, "2026-11-01T00:00:00Z", before.UnixMilli()} {
		equal(t, int64(0), one(t, g.With("knownAt", at).V().Count()), at)
	}
	_, err := g.With("asOf", "noon").V().ToList()
	refused(t, err, "asOf", "noon")
}

func TestWriteEachByItself(t *testing.T) {
	g := open(t)
	do(t, g.AddV("note").Property(id, "go:1").Property("text", "a"))
	do(t, g.AddV("note").Property(id, "go:2").Property("text", "b"))
	do(t, g.V("go:1").AddE("about").To(anon.V("go:2")).Property("weight", 0.5))
	do(t, g.V("go:1").Property("text", "changed"))
	equal(t, "changed", one(t, g.V("go:1").Values("text")), "text")
	equal(t, 0.5, one(t, g.V("go:1").OutE("about").Values("weight")), "weight")
	do(t, g.V("go:1", "go:2").Drop())
	equal(t, int64(0), one(t, g.V("go:1", "go:2").Count()), "dropped")
}

func TestTheLoserOfAConflictLearnsOfItAtCommit(t *testing.T) {
	g := open(t)
	do(t, g.AddV("note").Property(id, "go:hot").Property("n", 0))
	first, second := g.Tx(), g.Tx()
	source1, err := first.Begin()
	if err != nil {
		t.Fatal(err)
	}
	source2, err := second.Begin()
	if err != nil {
		t.Fatal(err)
	}
	do(t, source1.V("go:hot").Property("n", 1))
	do(t, source2.V("go:hot").Property("n", 2))
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := second.Commit(); err == nil {
		t.Fatal("both committed")
	}
	equal(t, int64(1), one(t, g.V("go:hot").Values("n")), "the first wins")
	do(t, g.V("go:hot").Drop())
}

func TestTransactions(t *testing.T) {
	g := open(t)
	transaction := g.Tx()
	source, err := transaction.Begin()
	if err != nil {
		t.Fatal(err)
	}
	do(t, source.AddV("note").Property(id, "go:tx1"))
	equal(t, true, has(t, source.V("go:tx1")), "seen inside")
	equal(t, false, has(t, g.V("go:tx1")), "seen outside")
	if err := transaction.Commit(); err != nil {
		t.Fatal(err)
	}
	equal(t, true, has(t, g.V("go:tx1")), "committed")

	transaction = g.Tx()
	source, err = transaction.Begin()
	if err != nil {
		t.Fatal(err)
	}
	do(t, source.AddV("note").Property(id, "go:tx2"))
	do(t, source.V("go:tx1").Drop())
	if err := transaction.Rollback(); err != nil {
		t.Fatal(err)
	}
	equal(t, false, has(t, g.V("go:tx2")), "rolled back")
	equal(t, true, has(t, g.V("go:tx1")), "kept")
	do(t, g.V("go:tx1").Drop())
}

func TestIds(t *testing.T) {
	g := open(t)
	seven := uuid.MustParse("00000000-0000-0000-0000-000000000017")
	for given, seen := range map[interface{}]interface{}{
		"go:id": "go:id", "/go/a b/ü.dat": "/go/a b/ü.dat", int32(4713): int32(4713),
		int64(4713000000000): int64(4713000000000), int64(9007199254740993): "9007199254740993",
		seven: seven,
	} {
		created := one(t, g.AddV("note").Property(id, given)).(*gremlingo.Vertex)
		equal(t, seen, created.Id, given)
		equal(t, seen, one(t, g.V(given).Id()), given)
		equal(t, seen, one(t, g.V(fmt.Sprint(given)).Id()), given)
		equal(t, int64(1), one(t, g.V().HasId(given).Count()), given)
	}
	generated := one(t, g.AddV("note").Property("text", "x")).(*gremlingo.Vertex)
	equal(t, generated.Id, one(t, g.V(generated.Id).Id()), "generated")
	edge := one(t, g.V("go:id").AddE("about").To(anon.V(generated.Id))).(*gremlingo.Edge)
	equal(t, edge.Id, one(t, g.E(edge.Id).Id()), "edge")
	property := one(t, g.V(generated.Id).Properties("text")).(*gremlingo.VertexProperty)
	equal(t, property.Id, one(t, g.V(generated.Id).Properties("text").Id()), "property")
	do(t, g.V().HasLabel("note").Drop())
}

func TestValues(t *testing.T) {
	g := open(t)
	values := map[string]interface{}{
		"boolean": true, "int": int32(-7), "long": int64(9007199254740993), "double": 0.1,
		"big": new(big.Int).Lsh(big.NewInt(1), 70), "text": "naïve\n\u4f60", "uuid": uuid.New(),
		"list": []interface{}{int32(1), "a", 2.5}, "set": gremlingo.NewSimpleSet("a"),
		"map": map[interface{}]interface{}{"a": int32(1)},
	}
	creation := g.AddV("note").Property(id, "go:values").Property("date", moment)
	for key, value := range values {
		creation = creation.Property(key, value)
	}
	do(t, creation)
	read := one(t, g.V("go:values").ElementMap()).(map[interface{}]interface{})
	for key, value := range values {
		equal(t, value, read[key], key)
	}
	equal(t, true, moment.Equal(read["date"].(time.Time)), "date")
	do(t, g.V("go:values").Drop())
}

func TestLargeResult(t *testing.T) {
	g := open(t)
	equal(t, 50000, len(all(t, g.V().Limit(50).V().Limit(50000).Id())), "results")
}

func TestServices(t *testing.T) {
	g := open(t)
	var listed []string
	for _, name := range all(t, g.Call("--list")) {
		if strings.HasPrefix(name.GetString(), "graphmeta.") {
			listed = append(listed, name.GetString())
		}
	}
	sort.Strings(listed)
	equal(t, services, listed, "services")
	type parameters = map[interface{}]interface{}
	equal(t, 110, len(all(t, g.Call("graphmeta.lineage", parameters{"id": figure}))), "lineage")
	past := g.With("asOf", "2026-11-21T00:35:30Z")
	equal(t, 1, len(all(t, past.Call("graphmeta.history").With("id", config))), "past")
	for _, change := range all(t, g.Call("graphmeta.history").With("id", config)) {
		equal(t, "wrote", change.GetInterface().(map[interface{}]interface{})["operation"], "history")
	}
	affected := parameters{"id": config, "at": "2026-11-21T00:35:26Z"}
	equal(t, 59, len(all(t, g.Call("graphmeta.impact", affected))), "impact")
	runs := parameters{"a": "job:184268", "b": "job:184267"}
	equal(t, 15, len(all(t, g.Call("graphmeta.diff", runs))), "diff")
	placed := all(t, g.Call("graphmeta.placement").With("ids", config))
	equal(t, 1, len(placed), "placement")
	out := placed[0].GetInterface().(map[interface{}]interface{})["out"].([]interface{})
	equal(t, int64(0), out[0].(map[interface{}]interface{})["entries"], "entries")
	_, err := g.Call("graphmeta.lineage", parameters{"id": figure, "depht": 3}).ToList()
	refused(t, err, "graphmeta.lineage", "depht")
}

func TestErrors(t *testing.T) {
	g := open(t)
	refused(t, <-g.With("asOf", moment).AddV("note").Property(id, "go:nowhere").Iterate(), "past")
	_, err := g.With("asof", moment).V().ToList()
	refused(t, err, "asof")
	refused(t, <-g.AddV("note").Property(id, "job:184268").Iterate(), "job:184268")
	equal(t, int64(79), one(t, g.V().HasLabel("job").Count()), "jobs")
}

func TestScripts(t *testing.T) {
	client, err := gremlingo.NewClient(url(), func(settings *gremlingo.ClientSettings) {
		settings.AuthInfo = gremlingo.BasicAuthInfo("token", os.Getenv("GRAPHMETA_TOKEN"))
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	results, err := client.SubmitWithOptions("g.V().hasLabel(x).count()",
		new(gremlingo.RequestOptionsBuilder).AddBinding("x", "job").Create())
	if err != nil {
		t.Fatal(err)
	}
	count, _, err := results.One()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, int64(79), count.GetInterface(), "count")
	results, err = client.Submit("System.exit(1)")
	if err == nil {
		_, err = results.All()
	}
	refused(t, err, "System")
}
