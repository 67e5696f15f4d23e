export function nodeSettings(options?: {
  processes?: number
  bytes?: number
  env?: Record<string, string | undefined>
  given?: readonly string[]
}): { flags: string[]; env: { MALLOC_ARENA_MAX: string } }
