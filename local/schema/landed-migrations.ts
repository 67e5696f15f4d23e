import { execFileSync } from 'node:child_process'

/**
 * Returns the checksums of migrations at the commit where this branch left the main branch, read from the git
 * repository of `folder`. A migration that is not among them is a draft, which may still change. Before the first
 * release the result is empty: all migrations are drafts. Returns null without a repository or a main branch.
 */
export function landedOn(folder: string): Record<string, string> | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  for (const main of ['origin/main', 'main']) {
    try {
      // Clones may lack tags: a release is found by the title of its commit.
      if (!git('log', '-1', '--format=%h', '--grep=^chore(release): ', main)) return {}
      return JSON.parse(git('show', `${git('merge-base', 'HEAD', main)}:./checksums.json`))
    } catch {
      // The main branch has another name, or there is none.
    }
  }
  return null
}
