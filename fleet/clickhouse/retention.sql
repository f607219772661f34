-- What is to go: rows older than 30 days, which are closed days by then, and sketches older than two years. Prints statements, which
-- clickhouse-client --multiquery takes: a partition goes as a whole, in no time. Rows without a day stay.
SELECT concat('ALTER TABLE ', table, ' DROP PARTITION \'', partition, '\';')
FROM
(
    SELECT DISTINCT table, replaceAll(partition, '\'', '') AS partition
    FROM system.parts
    WHERE active AND database = currentDatabase() AND replaceAll(partition, '\'', '') != '1970-01-01'
        AND ((table = 'etlens_rows' AND toDate(replaceAll(partition, '\'', '')) < today() - 30)
          OR (table = 'etlens_days' AND toDate(replaceAll(partition, '\'', '')) < today() - 730))
)
ORDER BY table, partition
FORMAT TabSeparatedRaw
