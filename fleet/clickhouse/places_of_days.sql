-- The same answer as places.sql from the sketches of closed days: quantiles are estimates (t-digest), and a question over
-- a year reads no row of a dump.
SELECT
    'etlens/fleet-places@1' AS schema,
    program,
    any(row_statistic) AS statistic,
    any(row_tick) AS tick,
    kind,
    place,
    any(row_file) AS file,
    any(row_line) AS line,
    any(row_function) AS function,
    any(row_text) AS text,
    pair.1 AS group_by,
    pair.2 AS `group`,
    sum(row_dumps) AS dumps,
    sum(row_hottest) AS hottest,
    quantilesTDigestMerge(0.5, 0.9, 0.95, 0.99)(sketch) AS quantiles,
    0 AS exact
FROM
(
    SELECT
        program, kind, place, statistic AS row_statistic, tick AS row_tick, file AS row_file, line AS row_line,
        function AS row_function, text AS row_text, dumps AS row_dumps, hottest AS row_hottest, sketch,
        arrayJoin([('', ''), ('device', device), ('build', build)]) AS pair
    FROM etlens_days
)
GROUP BY program, kind, place, pair
ORDER BY program, kind, place, group_by, `group`
FORMAT JSONEachRow
