CREATE TABLE order_confirmation_task (
    task_id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id         BIGINT NOT NULL,
    -- The same for every attempt, and for no other task.
    idempotency_key  TEXT NOT NULL UNIQUE,
    status           TEXT NOT NULL DEFAULT 'IN_PROGRESS'
                     CHECK (status IN ('IN_PROGRESS', 'COMPLETED', 'FAILED')),
    -- Attempts that were begun: one whose worker died counts too, or a task that
    -- kills its worker would do so forever.
    retry_count      INTEGER NOT NULL DEFAULT 0,
    -- When the task is due; while a worker has it, when its lease ends.
    next_attempt_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
    last_error       TEXT,
    created_at       TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at       TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Only tasks in progress are looked for; the others would make the index grow.
CREATE INDEX order_confirmation_task_due
    ON order_confirmation_task (status, next_attempt_at)
    WHERE status = 'IN_PROGRESS';
