import { startTestApp, type TestApp } from './app.ts'

/** Starts two APIs with separate connections to one database, for races. */
export async function startTwoApps(): Promise<{ apis: [TestApp, TestApp]; close(): Promise<void> }> {
  const first = await startTestApp()
  const second = await startTestApp({ databaseUrl: first.config.DATABASE_URL ?? '' })
  return {
    apis: [first, second],
    async close() {
      await second.close()
      await first.close()
    },
  }
}
