import type { TestApp } from './app.ts'

/** Forgets what is owed so far. */
export async function clearOutbox(api: TestApp): Promise<void> {
  await api.core.relay.settle()
  await api.core.database.db.deleteFrom('outbox').execute()
}

/** What members are to be told, in the order in which it was owed. */
export async function owedNotifications(
  api: TestApp,
): Promise<{ kind: string; subjectId: number; causedBy: number | null }[]> {
  const rows = await api.core.database.db
    .selectFrom('outbox')
    .select('payload')
    .where('job', '=', 'notifications.notify-concerned')
    .orderBy('created_at')
    .execute()
  return rows.map(({ payload }) => {
    const { kind, subjectId, causedBy } = payload as { kind: string; subjectId: number; causedBy: number | null }
    return { kind, subjectId, causedBy }
  })
}
