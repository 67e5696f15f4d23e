import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'

/** Encrypts or decrypts the bytes of a file as a stream; `asItIs` does neither. */
export type Recode = (bytes: Readable) => Promise<Readable>

export const asItIs: Recode = async (bytes) => bytes

/**
 * Returns the function that encrypts for age recipients (`age1…`); without recipients it leaves the bytes as they are.
 * @throws Error when one of them is not a recipient
 */
export function encryptFor(recipients: readonly string[]): Recode {
  if (recipients.length === 0) return asItIs
  return recoded((bytes) => {
    const encrypter = new Encrypter()
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    return encrypter.encrypt(bytes)
  })
}

/**
 * Returns the function that decrypts with the identities of a file, as `age-keygen` writes it.
 * @throws Error when the file has no identity
 */
export async function decryptWith(identityFile: string): Promise<Recode> {
  const lines = (await readFile(identityFile, 'utf8')).split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length === 0) throw new Error(`${identityFile} has no identity of age`)
  return recoded((bytes) => {
    const decrypter = new Decrypter()
    for (const identity of identities) decrypter.addIdentity(identity)
    return decrypter.decrypt(bytes)
  })
}

function recoded(by: (bytes: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>): Recode {
  return async (bytes) => {
    const web = Readable.toWeb(bytes) as ReadableStream<Uint8Array>
    return Readable.fromWeb((await by(web)) as Parameters<typeof Readable.fromWeb>[0])
  }
}
