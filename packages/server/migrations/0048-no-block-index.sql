-- On PostgreSQL 18, a block range index can lack rows, so that queries through it miss them:
-- docs/decisions/0098-no-block-range-index.md.
drop index findings_blocks;
