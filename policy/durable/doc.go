// Package durable carries out what outlasts an in-memory retry: tasks that are
// stored in a database, and repeated until they succeed or a person has to look
// (R-RES-RE-4, R-RES-RE-5).
//
// An outage of more than some 5 s is no business of package policy: a call that
// waits holds a request, and a restart forgets it. Store a task instead, in the
// transaction that stores what it is about:
//
//	queue, err := durable.New(durable.Settings[pgx.Tx]{Database: postgres.New(pool), Alert: alert})
//	confirmations, err := durable.Register(queue, durable.Kind[Confirmation]{Policy: sber, Run: confirm})
//	err = queue.Start(ctx)
//
//	// in the transaction that stores the order
//	_, err = confirmations.Enqueue(ctx, tx, order.ConfirmKey, Confirmation{OrderID: order.ID})
//
// A task is attempted up to 10 times, with pauses of 2, 4, ... 512 s, of which
// jitter takes up to half: Horizon is 1022 s. Workers look for due tasks every 5 s
// and take up to 50 at once. Each attempt's error is kept with the task. A task
// that fails for good is reported to Settings.Alert, once, and stays in the database.
//
// The queue is River. Package postgres keeps the tasks in PostgreSQL, for any
// number of processes; package sqlite in a file, for one. Package tasktable shows
// the same with a plain table, for those who want no queue.
//
// # Attempts repeat what they do
//
// A worker can die at any moment, and its task is then attempted again, so a task
// may do only what may be repeated: read, or write with an idempotency key that
// the system has promised to recognise. The key is stored with the task, and is
// the same for every attempt. Register refuses a kind whose system keeps keys for
// less than the horizon, and an attempt that would come after the system may have
// forgotten the key, because the workers were down for a day, is not made: the
// task fails, and a person decides.
package durable
