/**
 * Whose fault a failure is, which decides what follows.
 *
 * - `model`: the call was wrong; corrective text goes back to the model.
 * - `world`: it may work later (network, exit code, time); retried only when safe.
 * - `policy`: not allowed; explained, not retried unchanged.
 * - `host`: the code that ran broke; the operator hears everything, the model one sanitised line.
 * - `cancelled`: somebody stopped it; no blame, no retry.
 */
export type Fault = 'model' | 'world' | 'policy' | 'host' | 'cancelled';
