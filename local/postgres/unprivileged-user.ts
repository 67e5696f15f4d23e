import { stat } from 'node:fs/promises'
import { isRoot, type RunAs, run } from './run-as.ts'

/**
 * The user and group id when no user can be created. Any id except root's works for a server on 127.0.0.1; on common
 * systems this one belongs to `nobody` or to no user.
 */
const NOBODY = 65534

/**
 * Returns the user who runs PostgreSQL on the cluster at `cluster`, which may not exist yet. When this process is root:
 * the cluster's owner; if that is root or there is no cluster, the user `postgres`, created when missing. Otherwise:
 * the user of this process.
 * @throws Error when this process is not root and the cluster belongs to another user.
 */
export async function userFor(cluster: string): Promise<RunAs> {
  const owner = await stat(cluster).catch(() => undefined)
  if (!isRoot()) {
    if (owner !== undefined && owner.uid !== process.geteuid?.()) {
      throw new Error(
        `The database in ${cluster} belongs to another user (uid ${owner.uid}): start as them or as root.`,
      )
    }
    return {}
  }
  return owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : unprivilegedUser()
}

async function unprivilegedUser(): Promise<RunAs> {
  const existing = await idsOf('postgres')
  if (existing !== undefined) return existing
  await run('groupadd', ['--system', 'postgres'])
  await run('useradd', ['--system', '-g', 'postgres', '-M', '-d', '/nonexistent', '-s', '/bin/false', 'postgres'])
  return (await idsOf('postgres')) ?? (await idsOf('nobody')) ?? { uid: NOBODY, gid: NOBODY }
}

async function idsOf(name: string): Promise<RunAs | undefined> {
  const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  const [uid, gid] = [Number(user.output), Number(group.output)]
  return user.ok && group.ok && uid > 0 && gid > 0 ? { uid, gid } : undefined
}
