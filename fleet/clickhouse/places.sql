-- The places of a fleet with exact quantiles, in all dumps and by device and build: what
-- `etlens fleet --from` shows (schema etlens/fleet-places@1). What dumps are told apart by is the list in the middle:
-- a further fact is a further pair, for one without a column of its own
-- ('lab', fact_values[indexOf(fact_names, 'lab')]).
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
    count() AS dumps,
    sum(row_hottest) AS hottest,
    quantilesExact(0.5, 0.9, 0.95, 0.99)(value) AS quantiles,
    1 AS exact
FROM
(
    SELECT
        program, kind, place, statistic AS row_statistic, tick AS row_tick, file AS row_file, line AS row_line,
        function AS row_function, text AS row_text, hottest AS row_hottest,
        if(kind = 'module', inclusive_ticks, self_ticks) / executions AS value,
        arrayJoin([('', ''), ('device', device), ('build', build)]) AS pair
    FROM etlens_rows FINAL
    WHERE execution = 0
)
GROUP BY program, kind, place, pair
ORDER BY program, kind, place, group_by, `group`
FORMAT JSONEachRow
