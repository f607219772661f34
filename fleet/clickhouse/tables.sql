-- The rows that `etlens rows` writes (schema etlens/dump-rows@1), each once: a row of the same dump, place and
-- execution replaces the one before. For ClickHouse from 18.16 on.
CREATE TABLE IF NOT EXISTS etlens_rows
(
    schema String,
    dump String,
    name String,
    day Date,
    device String,
    soc String,
    build String,
    app_version String,
    temperature String,
    date String,
    fact_names Array(String),
    fact_values Array(String),
    program String,
    block String,
    statistic String,
    executions UInt32,
    tick String,
    execution UInt32,
    kind String,
    place String,
    file String,
    line UInt32,
    function String,
    text String,
    self_ticks Int64,
    inclusive_ticks Int64,
    hottest UInt8
)
ENGINE = ReplacingMergeTree()
PARTITION BY day
ORDER BY (program, kind, place, dump, execution);

-- What a closed day amounts to, for questions over months: states of sketches, a hundredth of the rows.
-- close_day.sql fills it.
CREATE TABLE IF NOT EXISTS etlens_days
(
    day Date,
    program String,
    statistic String,
    tick String,
    kind String,
    place String,
    device String,
    build String,
    file String,
    line UInt32,
    function String,
    text String,
    dumps UInt64,
    hottest UInt64,
    sketch AggregateFunction(quantilesTDigest(0.5, 0.9, 0.95, 0.99), Float64)
)
ENGINE = MergeTree()
PARTITION BY day
ORDER BY (program, kind, place, device, build);
