-- Makes the sketches of one day, when no more rows of it come: put the day where 2026-01-01 stands. Run it after
--     ALTER TABLE etlens_days DROP PARTITION '2026-01-01'
-- and a day that is closed twice counts once. A materialized view would count rows that are written twice twice.
INSERT INTO etlens_days
SELECT
    day,
    program,
    any(row_statistic),
    any(row_tick),
    kind,
    place,
    device,
    build,
    any(row_file),
    any(row_line),
    any(row_function),
    any(row_text),
    count(),
    sum(row_hottest),
    quantilesTDigestState(0.5, 0.9, 0.95, 0.99)(value)
FROM
(
    SELECT
        day, program, kind, place, device, build, statistic AS row_statistic, tick AS row_tick, file AS row_file,
        line AS row_line, function AS row_function, text AS row_text, hottest AS row_hottest,
        if(kind = 'module', inclusive_ticks, self_ticks) / executions AS value
    FROM etlens_rows FINAL
    WHERE execution = 0 AND day = '2026-01-01'
)
GROUP BY day, program, kind, place, device, build
