export const certificateKinds = ['enrollment', 'graduation'] as const
export type CertificateKind = (typeof certificateKinds)[number]

/** Returns the printed number of a certificate: `E-7` for enrollment, `G-7` for graduation. */
export function certificateNumber(kind: CertificateKind, number: number): string {
  return `${kind === 'enrollment' ? 'E' : 'G'}-${number}`
}
