const patienceMs = 2_000;

/** Waits for work, and calls `note` once if it takes long. */
export async function noteIfSlow<Result>(work: Promise<Result>, note: () => void): Promise<Result> {
  const timer = setTimeout(note, patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
