// Short sounds of moves, made on the spot; they can be off.

const KEY = "ludens.sound";
let context: AudioContext | null = null;

export const soundOn = (): boolean => localStorage.getItem(KEY) !== "off";

export function switchSound(): boolean {
  localStorage.setItem(KEY, soundOn() ? "off" : "on");
  return soundOn();
}

function note(frequency: number, after: number, seconds: number, loudness: number, shape: OscillatorType): void {
  if (!context) return;
  const begin = context.currentTime + after;
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  tone.type = shape;
  tone.frequency.setValueAtTime(frequency, begin);
  tone.frequency.exponentialRampToValueAtTime(frequency * 0.6, begin + seconds);
  gain.gain.setValueAtTime(loudness, begin);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
  tone.connect(gain).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + seconds);
}

/** A move, a won game, a lost one, or a drawn one. Browsers keep silent until the person has touched the page; that is no error. */
export function sound(kind: "move" | "won" | "lost" | "drawn"): void {
  if (!soundOn() || !("AudioContext" in globalThis) || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (kind === "move") note(220, 0, 0.09, 0.25, "triangle");
  else if (kind === "won") [392, 494, 587].forEach((frequency, index) => note(frequency, index * 0.11, 0.25, 0.14, "sine"));
  else if (kind === "lost") [294, 247].forEach((frequency, index) => note(frequency, index * 0.16, 0.3, 0.14, "sine"));
  else note(330, 0, 0.3, 0.12, "sine");
}
