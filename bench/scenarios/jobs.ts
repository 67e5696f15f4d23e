import type { Comparison } from '../measure.ts'
import type { Stand } from '../stand.ts'

export async function jobScenarios(_stand: Stand): Promise<Comparison[]> {
  return []
}
