<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>About Framebrush</source>
        <translation>Über Framebrush</translation>
    </message>
    <message>
        <source>No telemetry: nothing that you open, paint or do leaves this computer.</source>
        <translation>Keine Telemetrie: Nichts, was Sie öffnen, malen oder tun, verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Reading the licences…</source>
        <translation>Die Lizenzen werden gelesen…</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Copy the frame</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>Einstellung suchen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Open video…</source>
        <translation>Video öffnen…</translation>
    </message>
    <message>
        <source>Open what was copied</source>
        <translation>Kopiertes öffnen</translation>
    </message>
    <message>
        <source>Open camera…</source>
        <translation>Kamera öffnen…</translation>
    </message>
    <message>
        <source>Save project as…</source>
        <translation>Projekt speichern unter…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Export this frame&apos;s time-lapse…</source>
        <translation>Zeitraffer dieses Bildes exportieren…</translation>
    </message>
    <message>
        <source>Screenshot</source>
        <translation>Bildschirmfoto</translation>
    </message>
    <message>
        <source>Next video in the playlist or folder</source>
        <translation>Nächstes Video der Liste oder des Ordners</translation>
    </message>
    <message>
        <source>Previous video in the playlist or folder</source>
        <translation>Vorheriges Video der Liste oder des Ordners</translation>
    </message>
    <message>
        <source>Close video</source>
        <translation>Video schließen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>Wiedergabe oder Pause</translation>
    </message>
    <message>
        <source>Half speed; while paused, one frame back</source>
        <translation>Halbe Geschwindigkeit; in der Pause ein Bild zurück</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Play; again: double speed</source>
        <translation>Abspielen; nochmals: doppelte Geschwindigkeit</translation>
    </message>
    <message>
        <source>One frame forward</source>
        <translation>Ein Bild vor</translation>
    </message>
    <message>
        <source>One frame back</source>
        <translation>Ein Bild zurück</translation>
    </message>
    <message>
        <source>5 seconds forward</source>
        <translation>5 Sekunden vor</translation>
    </message>
    <message>
        <source>5 seconds back</source>
        <translation>5 Sekunden zurück</translation>
    </message>
    <message>
        <source>1 second forward</source>
        <translation>1 Sekunde vor</translation>
    </message>
    <message>
        <source>1 second back</source>
        <translation>1 Sekunde zurück</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>Erstes Bild</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>Letztes Bild</translation>
    </message>
    <message>
        <source>Next chapter</source>
        <translation>Nächstes Kapitel</translation>
    </message>
    <message>
        <source>This chapter&apos;s beginning, or the chapter before</source>
        <translation>Anfang dieses Kapitels, oder das Kapitel davor</translation>
    </message>
    <message>
        <source>Go to a time or frame…</source>
        <translation>Gehe zu Zeit oder Bild…</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>Langsamer</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>Schneller</translation>
    </message>
    <message>
        <source>Normal speed</source>
        <translation>Normale Geschwindigkeit</translation>
    </message>
    <message>
        <source>Mark in</source>
        <translation>In-Punkt setzen</translation>
    </message>
    <message>
        <source>Mark out</source>
        <translation>Out-Punkt setzen</translation>
    </message>
    <message>
        <source>Clear marks</source>
        <translation>In- und Out-Punkt löschen</translation>
    </message>
    <message>
        <source>Marker here; again: its name</source>
        <translation>Marker hier; nochmals: sein Name</translation>
    </message>
    <message>
        <source>Next marker</source>
        <translation>Nächster Marker</translation>
    </message>
    <message>
        <source>Previous marker</source>
        <translation>Vorheriger Marker</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>Virtual camera</source>
        <translation>Virtuelle Kamera</translation>
    </message>
    <message>
        <source>Loop between the marks</source>
        <translation>Zwischen In und Out wiederholen</translation>
    </message>
    <message>
        <source>Louder</source>
        <translation>Lauter</translation>
    </message>
    <message>
        <source>Quieter</source>
        <translation>Leiser</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>Stumm</translation>
    </message>
    <message>
        <source>Audio later</source>
        <translation>Ton später</translation>
    </message>
    <message>
        <source>Audio earlier</source>
        <translation>Ton früher</translation>
    </message>
    <message>
        <source>Subtitles later</source>
        <translation>Untertitel später</translation>
    </message>
    <message>
        <source>Subtitles earlier</source>
        <translation>Untertitel früher</translation>
    </message>
    <message>
        <source>No delay</source>
        <translation>Keine Verzögerung</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Compare with the source</source>
        <translation>Mit Original vergleichen</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Compare looks</source>
        <translation>Looks vergleichen</translation>
    </message>
    <message>
        <source>Watch it being painted</source>
        <translation>Beim Malen zusehen</translation>
    </message>
    <message>
        <source>Source, while held</source>
        <translation>Gedrückt: das Original</translation>
    </message>
    <message>
        <source>Mask, while held</source>
        <translation>Maske, solange gedrückt</translation>
    </message>
    <message>
        <source>Correct the mask with a brush</source>
        <translation>Maske mit dem Pinsel korrigieren</translation>
    </message>
    <message>
        <source>The mask&apos;s brush removes</source>
        <translation>Pinsel der Maske nimmt weg</translation>
    </message>
    <message>
        <source>Larger brush for the mask</source>
        <translation>Größerer Pinsel für die Maske</translation>
    </message>
    <message>
        <source>Smaller brush for the mask</source>
        <translation>Kleinerer Pinsel für die Maske</translation>
    </message>
    <message>
        <source>Remove all corrections of the mask</source>
        <translation>Alle Korrekturen der Maske entfernen</translation>
    </message>
    <message>
        <source>Map of the brush&apos;s sizes…</source>
        <translation>Karte der Pinselgrößen…</translation>
    </message>
    <message>
        <source>Map of the brush&apos;s directions…</source>
        <translation>Karte der Pinselrichtungen…</translation>
    </message>
    <message>
        <source>Fewer strokes, for slow devices</source>
        <translation>Weniger Striche, für langsame Geräte</translation>
    </message>
    <message>
        <source>The film&apos;s colours, pixel by pixel</source>
        <translation>Farben des Films, Pixel für Pixel</translation>
    </message>
    <message>
        <source>Colours from a picture…</source>
        <translation>Farben eines Bildes…</translation>
    </message>
    <message>
        <source>Fit the colours to this frame</source>
        <translation>Farben an dieses Bild anpassen</translation>
    </message>
    <message>
        <source>Colour table (.cube)…</source>
        <translation>Farbtabelle (.cube)…</translation>
    </message>
    <message>
        <source>Save colours as .cube…</source>
        <translation>Farben als .cube speichern…</translation>
    </message>
    <message>
        <source>A style for each shot</source>
        <translation>Ein Stil für jede Einstellung</translation>
    </message>
    <message>
        <source>This style for all shots</source>
        <translation>Dieser Stil für alle Einstellungen</translation>
    </message>
    <message>
        <source>No style</source>
        <translation>Ohne Stil</translation>
    </message>
    <message>
        <source>Train a style from a picture…</source>
        <translation>Stil aus einem Bild trainieren…</translation>
    </message>
    <message>
        <source>Open a style or picture…</source>
        <translation>Stil oder Bild öffnen…</translation>
    </message>
    <message>
        <source>Paint this frame…</source>
        <translation>Dieses Bild malen…</translation>
    </message>
    <message>
        <source>Paint another frame, where it helps most…</source>
        <translation>Noch ein Bild malen, wo es am meisten hilft…</translation>
    </message>
    <message>
        <source>Learn the style of the painted frames, or stop</source>
        <translation>Stil der gemalten Bilder lernen, oder das Lernen anhalten</translation>
    </message>
    <message>
        <source>Reset the look</source>
        <translation>Look zurücksetzen</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Waveform and vectorscope</source>
        <translation>Waveform und Vektorskop</translation>
    </message>
    <message>
        <source>Paint ahead</source>
        <translation>Vorausmalen</translation>
    </message>
    <message>
        <source>Clear frames painted ahead</source>
        <translation>Vorausgemalte Bilder verwerfen</translation>
    </message>
    <message>
        <source>100% or whole picture</source>
        <translation>100 % oder ganzes Bild</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Loupe</source>
        <translation>Lupe</translation>
    </message>
    <message>
        <source>Enlarge without smoothing</source>
        <translation>Ohne Glättung vergrößern</translation>
    </message>
    <message>
        <source>Enlarge the timeline</source>
        <translation>Zeitleiste vergrößern</translation>
    </message>
    <message>
        <source>Reduce the timeline</source>
        <translation>Zeitleiste verkleinern</translation>
    </message>
    <message>
        <source>The whole film in the timeline</source>
        <translation>Der ganze Film in der Zeitleiste</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Side panel</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>10-bit display</source>
        <translation>10-Bit-Anzeige</translation>
    </message>
    <message>
        <source>Tour of the window</source>
        <translation>Rundgang durch das Fenster</translation>
    </message>
    <message>
        <source>About Framebrush</source>
        <translation>Über Framebrush</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Export several videos…</source>
        <translation>Mehrere Videos exportieren…</translation>
    </message>
    <message>
        <source>Export the playlist</source>
        <translation>Wiedergabeliste exportieren</translation>
    </message>
</context>
<context>
    <name>Awake</name>
    <message>
        <source>A video is playing.</source>
        <translation>Ein Video wird abgespielt.</translation>
    </message>
</context>
<context>
    <name>Blend</name>
    <message>
        <source>Blend paintings</source>
        <translation>Mischen</translation>
    </message>
    <message>
        <source>Weight of {painting}, relative to the other paintings</source>
        <translation>Gewicht von {painting} im Verhältnis zu den anderen Gemälden</translation>
    </message>
</context>
<context>
    <name>BrushKinds</name>
    <message>
        <source>Oil</source>
        <translation>Öl</translation>
    </message>
    <message>
        <source>Bristle</source>
        <translation>Borsten</translation>
    </message>
    <message>
        <source>Palette knife</source>
        <translation>Palettmesser</translation>
    </message>
    <message>
        <source>Impressionist</source>
        <translation>Impressionistisch</translation>
    </message>
    <message>
        <source>Pointillist</source>
        <translation>Pointillistisch</translation>
    </message>
    <message>
        <source>Gouache</source>
        <translation>Gouache</translation>
    </message>
    <message>
        <source>Fine</source>
        <translation>Fein</translation>
    </message>
    <message>
        <source>Brush: {name}</source>
        <translation>Pinsel: {name}</translation>
    </message>
    <message>
        <source>Brush: a tip of your own</source>
        <translation>Pinsel: eigene Pinselspitze</translation>
    </message>
    <message>
        <source>The style&apos;s brush</source>
        <translation>Der Pinsel des Stils</translation>
    </message>
    <message>
        <source>Click again to use the style&apos;s brush</source>
        <translation>Noch einmal klicken, um den Pinsel des Stils zu verwenden</translation>
    </message>
    <message>
        <source>Choose a picture of a brush tip, or drop one here</source>
        <translation>Ein Bild einer Pinselspitze wählen oder hier ablegen</translation>
    </message>
    <message>
        <source>Your own…</source>
        <translation>Eigener…</translation>
    </message>
    <message>
        <source>Click again for a brush with hairs</source>
        <translation>Noch einmal klicken für einen Pinsel mit Borsten</translation>
    </message>
</context>
<context>
    <name>CameraDialog</name>
    <message>
        <source>Open camera</source>
        <translation>Kamera öffnen</translation>
    </message>
    <message>
        <source>Camera&apos;s default</source>
        <translation>Vorgabe der Kamera</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Microphone</source>
        <translation>Mikrofon</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>The camera is on while it is open here. Nothing leaves this computer.</source>
        <translation>Die Kamera ist an, solange sie hier geöffnet ist. Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Looking for cameras…</source>
        <translation>Kameras werden gesucht…</translation>
    </message>
    <message>
        <source>No camera was found. Plug one in, then press Refresh.</source>
        <translation>Keine Kamera gefunden. Eine anschließen, dann „Aktualisieren“ wählen.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keines</translation>
    </message>
</context>
<context>
    <name>ColourControls</name>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Where the painting&apos;s colours come from</source>
        <translation>Woher die Farben des Gemäldes kommen</translation>
    </message>
    <message>
        <source>Fitted to</source>
        <translation>Abgleich</translation>
    </message>
    <message>
        <source>What the colours are fitted to: each shot, or a representative picture</source>
        <translation>Woran die Farben angepasst werden: an jede Einstellung oder an ein repräsentatives Bild</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>A colour table (.cube), applied to the film before painting, or to the painting</source>
        <translation>Eine Farbtabelle (.cube) für den Film, vor dem Malen, oder für das Gemälde</translation>
    </message>
    <message>
        <source>The painting&apos;s own</source>
        <translation>Die des Gemäldes</translation>
    </message>
    <message>
        <source>The film&apos;s palette</source>
        <translation>Die Palette des Films</translation>
    </message>
    <message>
        <source>The film&apos;s, pixel by pixel</source>
        <translation>Die des Films, Pixel für Pixel</translation>
    </message>
    <message>
        <source>From a picture…</source>
        <translation>Die eines Bildes…</translation>
    </message>
    <message>
        <source>From a .cube file…</source>
        <translation>Aus einer .cube-Datei…</translation>
    </message>
    <message>
        <source>Each shot</source>
        <translation>Jede Einstellung</translation>
    </message>
    <message>
        <source>The current frame</source>
        <translation>Das gezeigte Bild</translation>
    </message>
    <message>
        <source>A picture…</source>
        <translation>Ein Bild…</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Painting: {name}</source>
        <translation>Gemälde: {name}</translation>
    </message>
    <message>
        <source>Film: {name}</source>
        <translation>Film: {name}</translation>
    </message>
    <message>
        <source>Another .cube file…</source>
        <translation>Eine andere .cube-Datei…</translation>
    </message>
    <message>
        <source>Colours from a picture</source>
        <translation>Farben eines Bildes</translation>
    </message>
    <message>
        <source>A picture that represents the film</source>
        <translation>Ein repräsentatives Bild des Films</translation>
    </message>
    <message>
        <source>Open a video first: one of its frames will represent the film.</source>
        <translation>Bitte zuerst ein Video öffnen: Eines seiner Bilder steht dann für den ganzen Film.</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Compare looks</source>
        <translation>Looks vergleichen</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>Saved look</source>
        <translation>Gespeicherter Look</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>There is nothing to compare with: save a look first (Looks → Save this look…).</source>
        <translation>Es gibt nichts zu vergleichen: Speichern Sie zuerst einen Look (Looks → Diesen Look speichern…).</translation>
    </message>
    <message>
        <source>Painting…</source>
        <translation>Wird gemalt…</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>Use the look {name}</source>
        <translation>Den Look {name} verwenden</translation>
    </message>
    <message>
        <source>This look cannot be painted.</source>
        <translation>Dieser Look lässt sich nicht malen.</translation>
    </message>
</context>
<context>
    <name>CurveLane</name>
    <message>
        <source>Curves of the keyframes</source>
        <translation>Kurven der Schlüsselbilder</translation>
    </message>
</context>
<context>
    <name>Delays</name>
    <message>
        <source>Audio delay: {seconds} s</source>
        <translation>Verzögerung des Tons: {seconds} s</translation>
    </message>
    <message>
        <source>Subtitle delay: {seconds} s</source>
        <translation>Verzögerung der Untertitel: {seconds} s</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Technische Details</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>ExportControls</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Same as source</source>
        <translation>Wie das Original</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Unverändert übernehmen</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>Convert to SDR</source>
        <translation>In SDR umwandeln</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Beibehalten</translation>
    </message>
    <message>
        <source>Per frame</source>
        <translation>Je Bild</translation>
    </message>
    <message>
        <source>Per shot, steadier</source>
        <translation>Je Einstellung, ruhiger</translation>
    </message>
    <message>
        <source>This network normalises each frame as a whole. During playback, it always uses the statistics of each frame.</source>
        <translation>Dieses Netz normalisiert jedes Bild als Ganzes. Bei der Wiedergabe verwendet es immer die Statistik des einzelnen Bildes.</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>Codec</translation>
    </message>
    <message>
        <source>Pixel format</source>
        <translation>Pixelformat</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>Dateigröße</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Halbbilder</translation>
    </message>
    <message>
        <source>HDR</source>
        <translation>HDR</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>As played</source>
        <translation>Wie abgespielt</translation>
    </message>
    <message>
        <source>Like the source</source>
        <translation>Wie das Original</translation>
    </message>
    <message>
        <source>One frame from both fields</source>
        <translation>Ein Bild aus beiden Halbbildern</translation>
    </message>
    <message>
        <source>One frame per field, double frame rate</source>
        <translation>Ein Bild je Halbbild, doppelte Bildrate</translation>
    </message>
    <message>
        <source>Restore film frames (inverse telecine)</source>
        <translation>Filmbilder wiederherstellen (inverses Telecine)</translation>
    </message>
    <message>
        <source>Leave interlaced</source>
        <translation>Zeilensprung beibehalten</translation>
    </message>
    <message>
        <source>Whole video</source>
        <translation>Ganzes Video</translation>
    </message>
    <message>
        <source>beginning</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Marked: {begin} to {end}</source>
        <translation>Markiert: {begin} bis {end}</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern als</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>Probe</translation>
    </message>
    <message>
        <source>Add to exports</source>
        <translation>Zu den Exporten hinzufügen</translation>
    </message>
    <message>
        <source>The name must end in {endings}.</source>
        <translation>Der Name muss auf {endings} enden.</translation>
    </message>
    <message>
        <source>no style</source>
        <translation>ohne Stil</translation>
    </message>
    <message>
        <source>{chroma}, {bits} bits</source>
        <translation>{chroma}, {bits} Bit</translation>
    </message>
    <message>
        <source>Like the source</source>
        <translation>Wie das Original</translation>
    </message>
    <message>
        <source>The size and, where possible, the kind of file of the source.</source>
        <translation>Größe und, wo möglich, Dateityp des Originals.</translation>
    </message>
    <message>
        <source>Phone or message</source>
        <translation>Handy oder Nachricht</translation>
    </message>
    <message>
        <source>MP4 with H.264, at most 720 lines and 25 MB.</source>
        <translation>MP4 mit H.264, höchstens 720 Zeilen und 25 MB.</translation>
    </message>
    <message>
        <source>Social media</source>
        <translation>Soziale Medien</translation>
    </message>
    <message>
        <source>MP4 with H.264, at most 1080 lines.</source>
        <translation>MP4 mit H.264, höchstens 1080 Zeilen.</translation>
    </message>
    <message>
        <source>Small file</source>
        <translation>Kleine Datei</translation>
    </message>
    <message>
        <source>MP4 of at most 720 lines, in medium quality.</source>
        <translation>MP4 mit höchstens 720 Zeilen, in mittlerer Qualität.</translation>
    </message>
    <message>
        <source>MOV with ProRes, for editing programs.</source>
        <translation>MOV mit ProRes, für Schnittprogramme.</translation>
    </message>
    <message>
        <source>MKV with FFV1, with all that the source has. Very large.</source>
        <translation>MKV mit FFV1, mit allem, was das Original hat. Sehr groß.</translation>
    </message>
    <message>
        <source>Own settings, as below.</source>
        <translation>Eigene Einstellungen, wie unten.</translation>
    </message>
    <message>
        <source>Lossless archive</source>
        <translation>Verlustfreies Archiv</translation>
    </message>
    <message>
        <source>Video editing</source>
        <translation>Videoschnitt</translation>
    </message>
    <message>
        <source>changes over time</source>
        <translation>ändert sich mit der Zeit</translation>
    </message>
</context>
<context>
    <name>ExportLosses</name>
    <message>
        <source>chroma resolution</source>
        <translation>Farbauflösung</translation>
    </message>
    <message>
        <source>bit depth</source>
        <translation>Farbtiefe</translation>
    </message>
    <message>
        <source>fields</source>
        <translation>Halbbilder</translation>
    </message>
    <message>
        <source>HDR</source>
        <translation>HDR</translation>
    </message>
    <message>
        <source>alpha channel</source>
        <translation>Alphakanal</translation>
    </message>
    <message>
        <source>pixel aspect ratio</source>
        <translation>Seitenverhältnis der Pixel</translation>
    </message>
    <message>
        <source>timecode</source>
        <translation>Timecode</translation>
    </message>
    <message>
        <source>some metadata</source>
        <translation>manche Metadaten</translation>
    </message>
    <message>
        <source>streams</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>original audio encoding</source>
        <translation>ursprüngliche Kodierung des Tons</translation>
    </message>
    <message>
        <source>subtitle format</source>
        <translation>Format der Untertitel</translation>
    </message>
    <message>
        <source>the first 10 ms of the audio</source>
        <translation>die ersten 10 ms des Tons</translation>
    </message>
    <message>
        <source>Subtitles, chapters and metadata are kept where the file can hold them.</source>
        <translation>Untertitel, Kapitel und Metadaten bleiben erhalten, soweit die Datei sie aufnehmen kann.</translation>
    </message>
    <message>
        <source>Lost: {what}.</source>
        <translation>Verloren geht: {what}.</translation>
    </message>
</context>
<context>
    <name>ExportPanel</name>
    <message>
        <source>Clear finished</source>
        <translation>Fertige entfernen</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Dateien…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Where results are saved</source>
        <translation>Wo Ergebnisse gespeichert werden</translation>
    </message>
    <message>
        <source>Folder for the results…</source>
        <translation>Ordner für die Ergebnisse…</translation>
    </message>
    <message>
        <source>Next to each video</source>
        <translation>Neben jedem Video</translation>
    </message>
    <message>
        <source>Videos added or dropped here are painted with the current settings.</source>
        <translation>Hier hinzugefügte oder abgelegte Videos werden mit den jetzigen Einstellungen gemalt.</translation>
    </message>
    <message>
        <source>Nothing to export yet.</source>
        <translation>Noch keine Exporte.</translation>
    </message>
    <message>
        <source>next to each video</source>
        <translation>neben jedem Video</translation>
    </message>
    <message>
        <source>Results: {place}</source>
        <translation>Ergebnisse: {place}</translation>
    </message>
</context>
<context>
    <name>ExportRunner</name>
    <message numerus="yes">
        <source>%n export(s) did not finish last time; start them again under Exports.</source>
        <translation>
            <numerusform>%n Export wurde beim letzten Mal nicht fertig; unter „Exporte“ lässt er sich neu starten.</numerusform>
            <numerusform>%n Exporte wurden beim letzten Mal nicht fertig; unter „Exporte“ lassen sie sich neu starten.</numerusform>
        </translation>
    </message>
    <message>
        <source>This desktop has no program to open {path} with.</source>
        <translation>Auf diesem Computer gibt es kein Programm, das {path} öffnet.</translation>
    </message>
    <message numerus="yes">
        <source>%n frame(s) could not be read; all others were written.</source>
        <translation>
            <numerusform>%n Bild war nicht lesbar; alle anderen wurden geschrieben.</numerusform>
            <numerusform>%n Bilder waren nicht lesbar; alle anderen wurden geschrieben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Its process ended with status {status}.</source>
        <translation>Der Prozess endete mit Status {status}.</translation>
    </message>
    <message>
        <source>Exporting {name} failed: {reason}</source>
        <translation>{name} konnte nicht exportiert werden: {reason}</translation>
    </message>
    <message>
        <source>Another window or program is writing this file.</source>
        <translation>Ein anderes Fenster oder Programm schreibt diese Datei gerade.</translation>
    </message>
    <message>
        <source>Another export to this file was not finished, and what it has painted is kept. Start over to discard it, or choose another name.</source>
        <translation>Ein anderer Export in diese Datei wurde nicht fertig; was schon gemalt ist, bleibt erhalten. Beginnen Sie von vorn, um es zu verwerfen, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>The list of exports could not be saved.</source>
        <translation>Die Liste der Exporte ließ sich nicht speichern.</translation>
    </message>
</context>
<context>
    <name>ExportTab</name>
    <message>
        <source>Exports</source>
        <translation>Exporte</translation>
    </message>
    <message>
        <source>Exports ({count})</source>
        <translation>Exporte ({count})</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>Add videos</source>
        <translation>Videos hinzufügen</translation>
    </message>
    <message>
        <source>Add a folder of videos</source>
        <translation>Einen Ordner mit Videos hinzufügen</translation>
    </message>
    <message>
        <source>Folder for the results</source>
        <translation>Ordner für die Ergebnisse</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>An export is running.</source>
        <translation>Ein Export läuft.</translation>
    </message>
    <message>
        <source>If you stop it, you can resume it under Exports next time.</source>
        <translation>Wenn Sie ihn anhalten, können Sie ihn beim nächsten Mal unter „Exporte“ fortsetzen.</translation>
    </message>
    <message>
        <source>Quit when it is done</source>
        <translation>Beenden, wenn er fertig ist</translation>
    </message>
    <message>
        <source>Stop it and quit</source>
        <translation>Abbrechen und beenden</translation>
    </message>
</context>
<context>
    <name>FileSize</name>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Set by the quality</source>
        <translation>Ergibt sich aus der Qualität</translation>
    </message>
    <message>
        <source>Up to {number} megabits a second for the picture</source>
        <translation>Bis zu {number} Megabit pro Sekunde für das Bild</translation>
    </message>
    <message>
        <source>Too small: this takes at least {size}.</source>
        <translation>Zu klein: Nötig sind mindestens {size}.</translation>
    </message>
    <message>
        <source>The length of this video is unknown, so its file size cannot be set.</source>
        <translation>Die Länge dieses Videos ist nicht bekannt; ohne sie lässt sich keine Dateigröße vorgeben.</translation>
    </message>
</context>
<context>
    <name>Files</name>
    <message>
        <source>Styles and pictures ({patterns})</source>
        <translation>Stile und Bilder ({patterns})</translation>
    </message>
    <message>
        <source>Open a style or picture</source>
        <translation>Stil oder Bild öffnen</translation>
    </message>
    <message>
        <source>Pictures ({patterns})</source>
        <translation>Bilder ({patterns})</translation>
    </message>
    <message>
        <source>Pictures and brushes ({patterns})</source>
        <translation>Bilder und Pinsel ({patterns})</translation>
    </message>
    <message>
        <source>Projects ({patterns})</source>
        <translation>Projekte ({patterns})</translation>
    </message>
    <message>
        <source>Save project as</source>
        <translation>Projekt speichern unter</translation>
    </message>
    <message>
        <source>Videos ({patterns})</source>
        <translation>Videos ({patterns})</translation>
    </message>
    <message>
        <source>Export the time-lapse</source>
        <translation>Zeitraffer exportieren</translation>
    </message>
    <message>
        <source>Colour tables (*.cube)</source>
        <translation>Farbtabellen (*.cube)</translation>
    </message>
    <message>
        <source>Saved looks ({patterns})</source>
        <translation>Gespeicherte Looks ({patterns})</translation>
    </message>
    <message>
        <source>Save the colours</source>
        <translation>Farben speichern</translation>
    </message>
    <message>
        <source>Pictures and videos ({patterns})</source>
        <translation>Bilder und Videos ({patterns})</translation>
    </message>
    <message>
        <source>Colour table</source>
        <translation>Farbtabelle</translation>
    </message>
    <message>
        <source>Import a look</source>
        <translation>Look importieren</translation>
    </message>
    <message>
        <source>Share the look</source>
        <translation>Look weitergeben</translation>
    </message>
    <message>
        <source>Videos ({patterns});;All files (*)</source>
        <translation>Videos ({patterns});;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>FilmStrip</name>
    <message>
        <source>Film strip</source>
        <translation>Filmstreifen</translation>
    </message>
</context>
<context>
    <name>Folder</name>
    <message>
        <source>{name} cannot be read.</source>
        <translation>{name} kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>There is no video in the folder {name}.</source>
        <translation>Im Ordner {name} ist kein Video.</translation>
    </message>
</context>
<context>
    <name>Gallery</name>
    <message>
        <source>Styles</source>
        <translation>Stile</translation>
    </message>
    <message>
        <source>The arrow keys show a style on the picture; Enter or Space chooses it.</source>
        <translation>Die Pfeiltasten zeigen einen Stil im Bild; Eingabe- oder Leertaste wählt ihn.</translation>
    </message>
    <message>
        <source>Finer, slower</source>
        <translation>Feiner, langsamer</translation>
    </message>
    <message>
        <source>No style</source>
        <translation>Ohne Stil</translation>
    </message>
    <message>
        <source>Key {number}</source>
        <translation>Taste {number}</translation>
    </message>
    <message>
        <source>The preview uses statistics of each frame; an export can use those of each shot.</source>
        <translation>Die Vorschau verwendet die Statistik jedes Bildes; ein Export kann die jeder Einstellung verwenden.</translation>
    </message>
    <message>
        <source>Blend of {count} paintings</source>
        <translation>Mischung aus {count} Gemälden</translation>
    </message>
</context>
<context>
    <name>GoTo</name>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>12.5, 1:02:03.5, 00:01:02:03 or 123f</source>
        <translation>12.5, 1:02:03.5, 00:01:02:03 oder 123f</translation>
    </message>
    <message>
        <source>Seconds, h:mm:ss, a timecode of the film or from the first frame, or a frame number</source>
        <translation>Sekunden, h:mm:ss, ein Timecode des Films oder ab dem ersten Bild, oder eine Bildnummer</translation>
    </message>
    <message>
        <source>This is not a position in a film.</source>
        <translation>Das ist keine Stelle in einem Film.</translation>
    </message>
    <message>
        <source>Frame {number}</source>
        <translation>Bild {number}</translation>
    </message>
</context>
<context>
    <name>HelpSheet</name>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Styles of the gallery</source>
        <translation>Stile der Galerie</translation>
    </message>
    <message>
        <source>Leave full screen</source>
        <translation>Vollbild verlassen</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>A picture of a brush tip</source>
        <translation>Bild einer Pinselspitze</translation>
    </message>
    <message>
        <source>A mask</source>
        <translation>Eine Maske</translation>
    </message>
    <message>
        <source>A map of the brush&apos;s sizes</source>
        <translation>Eine Karte der Pinselgrößen</translation>
    </message>
    <message>
        <source>A map of the brush&apos;s directions</source>
        <translation>Eine Karte der Pinselrichtungen</translation>
    </message>
</context>
<context>
    <name>Invitation</name>
    <message>
        <source>Drop a video here</source>
        <translation>Video hierher ziehen</translation>
    </message>
    <message>
        <source>or</source>
        <translation>oder</translation>
    </message>
    <message>
        <source>Open video…</source>
        <translation>Video öffnen…</translation>
    </message>
    <message>
        <source>Try the sample film</source>
        <translation>Den Beispielfilm ausprobieren</translation>
    </message>
    <message>
        <source>Nine seconds of people and of an animation, to try the paintings on.</source>
        <translation>Neun Sekunden mit Menschen und Animation, um die Gemälde auszuprobieren.</translation>
    </message>
</context>
<context>
    <name>JobCard</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Start over…</source>
        <translation>Von vorn…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Painted and kept: {length} of the film. Resume goes on from there.</source>
        <translation>Gemalt und gespeichert: {length} des Films. „Fortsetzen“ macht dort weiter.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>{size}, in {time}</source>
        <translation>{size}, in {time}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>{number} fps</source>
        <translation>{number} Bilder/s</translation>
    </message>
    <message>
        <source>Frame {of}</source>
        <translation>Bild {of}</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Start {name} over?</source>
        <translation>{name} von vorn beginnen?</translation>
    </message>
    <message>
        <source>Delete what is painted of {name}?</source>
        <translation>Das bisher Gemalte von {name} löschen?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Painted so far: {length} of the film.</source>
        <translation>Bisher gemalt: {length} des Films.</translation>
    </message>
    <message numerus="yes">
        <source>%n frame(s)</source>
        <translation>
            <numerusform>%n Bild</numerusform>
            <numerusform>%n Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>Von vorn beginnen</translation>
    </message>
</context>
<context>
    <name>KeyframeButton</name>
    <message>
        <source>Key for {name}</source>
        <translation>Schlüsselbild für {name}</translation>
    </message>
    <message>
        <source>Set at this frame</source>
        <translation>An diesem Bild gesetzt</translation>
    </message>
    <message>
        <source>Changes over time</source>
        <translation>Ändert sich mit der Zeit</translation>
    </message>
    <message>
        <source>No keys</source>
        <translation>Keine Schlüsselbilder</translation>
    </message>
    <message>
        <source>Remove the key of {name} at this frame</source>
        <translation>Das Schlüsselbild von {name} an dieser Stelle entfernen</translation>
    </message>
    <message>
        <source>Set a key of {name} at this frame: it changes over time</source>
        <translation>Hier ein Schlüsselbild von {name} setzen: der Wert ändert sich mit der Zeit</translation>
    </message>
</context>
<context>
    <name>KeyframeStrip</name>
    <message>
        <source>Keyframes: the diamond beside a slider sets the first one</source>
        <translation>Schlüsselbilder: die Raute neben einem Regler setzt das erste</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Schlüsselbilder</translation>
    </message>
    <message>
        <source>Evenly to the next key</source>
        <translation>Gleichmäßig zum nächsten Schlüsselbild</translation>
    </message>
    <message>
        <source>Slowly at both ends</source>
        <translation>An beiden Enden langsam</translation>
    </message>
    <message>
        <source>Hold until the next key</source>
        <translation>Bis zum nächsten Schlüsselbild halten</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Paste at the frame on the screen</source>
        <translation>Beim angezeigten Bild einfügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>LabelledSlider</name>
    <message>
        <source>Double-click to reset</source>
        <translation>Doppelklick setzt zurück</translation>
    </message>
</context>
<context>
    <name>LearnButton</name>
    <message>
        <source>Learn on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Learn on from the painted frames</source>
        <translation>Von den gemalten Bildern weiterlernen</translation>
    </message>
    <message>
        <source>Stop learning</source>
        <translation>Lernen anhalten</translation>
    </message>
    <message>
        <source>Looking for the shots of the film: {share}</source>
        <translation>Die Einstellungen des Films werden gesucht: {share}</translation>
    </message>
    <message>
        <source>Learning begins</source>
        <translation>Das Lernen beginnt</translation>
    </message>
    <message>
        <source>Learning from the painted frames: {share}</source>
        <translation>Lernt von den gemalten Bildern: {share}</translation>
    </message>
</context>
<context>
    <name>Live</name>
    <message>
        <source>Stop recording</source>
        <translation>Aufnahme beenden</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
</context>
<context>
    <name>LiveBar</name>
    <message>
        <source>LIVE</source>
        <translation>LIVE</translation>
    </message>
    <message>
        <source>Recorded so far</source>
        <translation>Bisher aufgenommen</translation>
    </message>
</context>
<context>
    <name>LookPanel</name>
    <message>
        <source>Brush</source>
        <translation>Pinsel</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Licht</translation>
    </message>
    <message>
        <source>Divider</source>
        <translation>Trennlinie</translation>
    </message>
    <message>
        <source>Where the source ends and the painting begins</source>
        <translation>Wo das Original endet und das Gemälde beginnt</translation>
    </message>
    <message>
        <source>Compare with the source</source>
        <translation>Mit Original vergleichen</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>Stil</translation>
    </message>
</context>
<context>
    <name>Looks</name>
    <message>
        <source>Looks</source>
        <translation>Looks</translation>
    </message>
    <message>
        <source>Save this look…</source>
        <translation>Diesen Look speichern…</translation>
    </message>
    <message>
        <source>Import a look…</source>
        <translation>Look importieren…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Weitergeben</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>There is already a look {name}.</source>
        <translation>Es gibt schon einen Look {name}.</translation>
    </message>
    <message>
        <source>Save this look</source>
        <translation>Diesen Look speichern</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Rename the look</source>
        <translation>Look umbenennen</translation>
    </message>
    <message>
        <source>The look {name} cannot be renamed.</source>
        <translation>Der Look {name} kann nicht umbenannt werden.</translation>
    </message>
    <message>
        <source>There is already a look {name}; this one is kept as {other}.</source>
        <translation>Es gibt schon einen Look {name}; dieser heißt jetzt {other}.</translation>
    </message>
    <message>
        <source>The look {name} cannot be removed.</source>
        <translation>Der Look {name} kann nicht entfernt werden.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Painting</source>
        <translation>Malen</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>Exporte</translation>
    </message>
    <message>
        <source>As you left it; {key} undoes</source>
        <translation>Wie zuletzt; {key} macht es rückgängig</translation>
    </message>
    <message>
        <source>Side panel</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Picture and side panel</source>
        <translation>Bild und Seitenleiste</translation>
    </message>
    <message>
        <source>Width of the side panel</source>
        <translation>Breite der Seitenleiste</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>ManualWindow</name>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search the documentation</source>
        <translation>Dokumentation durchsuchen</translation>
    </message>
    <message>
        <source>Pages and sections</source>
        <translation>Seiten und Abschnitte</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>MarkerStrip</name>
    <message>
        <source>Name of the marker</source>
        <translation>Name des Markers</translation>
    </message>
    <message>
        <source>Markers: {keys} marks the frame on the screen; again: its name</source>
        <translation>Marker: {keys} markiert das angezeigte Bild; nochmals: der Name</translation>
    </message>
    <message>
        <source>Markers</source>
        <translation>Marker</translation>
    </message>
    <message>
        <source>Name…</source>
        <translation>Name…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>Markers</name>
    <message>
        <source>Marker {number}</source>
        <translation>Marker {number}</translation>
    </message>
</context>
<context>
    <name>MaskBrush</name>
    <message>
        <source>Nothing is painted apart yet: choose it under Subject</source>
        <translation>Noch wird kein Bereich anders gemalt: unter „Motiv“ wählen</translation>
    </message>
</context>
<context>
    <name>MaskStrip</name>
    <message>
        <source>Corrected masks: {keys} corrects the mask with a brush</source>
        <translation>Korrigierte Masken: {keys} korrigiert die Maske mit einem Pinsel</translation>
    </message>
    <message>
        <source>Corrected masks</source>
        <translation>Korrigierte Masken</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message numerus="yes">
        <source>Strokes that correct the mask: %n</source>
        <translation>
            <numerusform>Striche, die die Maske korrigieren: %n</numerusform>
            <numerusform>Striche, die die Maske korrigieren: %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MaskTools</name>
    <message>
        <source>Brush size</source>
        <translation>Pinselgröße</translation>
    </message>
    <message>
        <source>Width of the brush that corrects the mask, of the picture&apos;s shorter side</source>
        <translation>Breite des Pinsels, der die Maske korrigiert, gemessen an der kürzeren Bildseite</translation>
    </message>
    <message>
        <source>Mask brush</source>
        <translation>Maskenpinsel</translation>
    </message>
    <message>
        <source>Paint on the picture what belongs to the mask, or does not</source>
        <translation>Auf dem Bild malen, was zur Maske gehört oder nicht</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Playback</source>
        <translation>&amp;Wiedergabe</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>Playlist</source>
        <translation>Wiedergabeliste</translation>
    </message>
    <message>
        <source>Audio track</source>
        <translation>Tonspur</translation>
    </message>
    <message>
        <source>Subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>P&amp;icture</source>
        <translation>&amp;Bild</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>Maske</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Playback quality</source>
        <translation>Qualität beim Abspielen</translation>
    </message>
    <message>
        <source>Frames painted ahead</source>
        <translation>Vorausgemalte Bilder</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Export on all graphics cards</source>
        <translation>Auf allen Grafikkarten exportieren</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>Menu bar</source>
        <translation>Menüleiste</translation>
    </message>
    <message>
        <source>More menus</source>
        <translation>Weitere Menüs</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>Diese Liste leeren</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>{name} (cannot be shown)</source>
        <translation>{name} (nicht darstellbar)</translation>
    </message>
    <message>
        <source>{name} (software)</source>
        <translation>{name} (Software)</translation>
    </message>
    <message>
        <source>{name} (processor)</source>
        <translation>{name} (Prozessor)</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Half</source>
        <translation>Halb</translation>
    </message>
    <message>
        <source>Quarter</source>
        <translation>Ein Viertel</translation>
    </message>
    <message>
        <source>Keep up to {number} GB on disk</source>
        <translation>Bis zu {number} GB auf der Festplatte behalten</translation>
    </message>
    <message>
        <source>Keep none on disk</source>
        <translation>Keine auf der Festplatte behalten</translation>
    </message>
    <message>
        <source>Memory: up to {painted} painted, {read} unpainted</source>
        <translation>Arbeitsspeicher: bis zu {painted} gemalt, {read} ungemalt</translation>
    </message>
    <message>
        <source>32 bits</source>
        <translation>32 Bit</translation>
    </message>
    <message>
        <source>16 bits, faster on most cards</source>
        <translation>16 Bit, auf den meisten Karten schneller</translation>
    </message>
    <message>
        <source>8 bits, faster on newer processors</source>
        <translation>8 Bit, auf neueren Prozessoren schneller</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>NewStyleDialog</name>
    <message>
        <source>Train a style from a picture</source>
        <translation>Stil aus einem Bild trainieren</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Finish now</source>
        <translation>Jetzt fertigstellen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation>Verwerfen…</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginnen</translation>
    </message>
    <message>
        <source>Progress is saved; you can resume later, even after a restart.</source>
        <translation>Der Fortschritt wird gespeichert; Sie können später fortsetzen, auch nach einem Neustart.</translation>
    </message>
    <message>
        <source>Keep the style as the preview shows it.</source>
        <translation>Den Stil so behalten, wie die Vorschau ihn zeigt.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Step {step} of {steps}</source>
        <translation>Schritt {step} von {steps}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>Preparing the photographs…</source>
        <translation>Die Fotos werden vorbereitet…</translation>
    </message>
    <message>
        <source>Finishing the step…</source>
        <translation>Der Schritt wird beendet…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Adding it to the gallery…</source>
        <translation>Der Stil wird in die Galerie aufgenommen…</translation>
    </message>
    <message>
        <source>You can close this dialog; training continues.</source>
        <translation>Sie können dieses Fenster schließen; das Training läuft weiter.</translation>
    </message>
    <message>
        <source>The first preview appears after a few seconds of training.</source>
        <translation>Die erste Vorschau erscheint nach einigen Sekunden Training.</translation>
    </message>
    <message>
        <source>Discard this training?</source>
        <translation>Dieses Training verwerfen?</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
</context>
<context>
    <name>NewStyleForm</name>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Width of the strokes</source>
        <translation>Breite der Striche</translation>
    </message>
    <message>
        <source>How broad the painting&apos;s strokes will be in a video</source>
        <translation>Wie breit die Striche des Gemäldes in einem Video sind</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Finer and slower</source>
        <translation>Feiner und langsamer</translation>
    </message>
    <message>
        <source>Optional: frames of the open film and of the sample film</source>
        <translation>Optional: Bilder des offenen Films und des Beispielfilms</translation>
    </message>
    <message>
        <source>Optional: part of Framebrush</source>
        <translation>Optional: in Framebrush enthalten</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal prüfen</translation>
    </message>
    <message>
        <source>Another Python…</source>
        <translation>Anderes Python…</translation>
    </message>
    <message>
        <source>This file is not a readable picture.</source>
        <translation>Diese Datei kann nicht als Bild gelesen werden.</translation>
    </message>
    <message>
        <source>{size} pixels: too small to train on; at least {least} per side are needed.</source>
        <translation>{size} Pixel: zu klein für ein Training; mindestens {least} je Seite sind nötig.</translation>
    </message>
    <message>
        <source>{size} pixels: low resolution for brush strokes.</source>
        <translation>{size} Pixel: geringe Auflösung für Pinselstriche.</translation>
    </message>
    <message>
        <source>{size} pixels</source>
        <translation>{size} Pixel</translation>
    </message>
    <message>
        <source>Looking for photographs…</source>
        <translation>Fotos werden gesucht…</translation>
    </message>
    <message>
        <source>Frames from all over this film are used.</source>
        <translation>Bilder aus dem ganzen Film werden verwendet.</translation>
    </message>
    <message>
        <source>At least {number} are needed: places, people and rooms, as in your films.</source>
        <translation>Mindestens {number} sind nötig: von Orten, Menschen und Räumen wie in Ihren Filmen.</translation>
    </message>
    <message>
        <source>{number} or more would be better.</source>
        <translation>{number} oder mehr sind besser.</translation>
    </message>
    <message>
        <source>Up to {number} of them are used; none leaves this computer.</source>
        <translation>Bis zu {number} davon werden verwendet; keines verlässt diesen Computer.</translation>
    </message>
    <message numerus="yes">
        <source>%n photograph(s) in this folder.</source>
        <translation>
            <numerusform>%n Foto in diesem Ordner.</numerusform>
            <numerusform>%n Fotos in diesem Ordner.</numerusform>
        </translation>
    </message>
    <message>
        <source>Checking what this computer can train with…</source>
        <translation>Es wird geprüft, womit dieser Computer trainieren kann…</translation>
    </message>
    <message>
        <source>Training a style needs PyTorch and Pillow. {reason}</source>
        <translation>Zum Trainieren eines Stils sind PyTorch und Pillow nötig. {reason}</translation>
    </message>
    <message>
        <source>Install Python and run this command, then choose that Python:</source>
        <translation>Installieren Sie Python, führen Sie diesen Befehl aus und wählen Sie dann dieses Python:</translation>
    </message>
    <message>
        <source>Install it with this command, then look again:</source>
        <translation>Installieren Sie es mit diesem Befehl und lassen Sie dann noch einmal prüfen:</translation>
    </message>
    <message>
        <source>The time is being measured…</source>
        <translation>Die Dauer wird gemessen…</translation>
    </message>
    <message>
        <source>Training takes {time}, as just measured.</source>
        <translation>Das Training dauert {time}, wie eben gemessen.</translation>
    </message>
    <message>
        <source>PyTorch finds no usable GPU; training works on the CPU, but slowly.</source>
        <translation>PyTorch findet keine geeignete Grafikkarte; auf dem Prozessor geht das Training auch, aber langsam.</translation>
    </message>
    <message>
        <source>Pictures ({patterns})</source>
        <translation>Bilder ({patterns})</translation>
    </message>
    <message>
        <source>Picture of a painting</source>
        <translation>Bild eines Gemäldes</translation>
    </message>
    <message>
        <source>Folder of photographs</source>
        <translation>Ordner mit Fotos</translation>
    </message>
    <message>
        <source>VGG16 weights</source>
        <translation>VGG16-Gewichte</translation>
    </message>
    <message>
        <source>A Python with PyTorch</source>
        <translation>Ein Python mit PyTorch</translation>
    </message>
    <message>
        <source>{number} pixels</source>
        <translation>{number} Pixel</translation>
    </message>
    <message>
        <source>A painting, a drawing, a fabric: without frame or border, at least {number} pixels per side.</source>
        <translation>Ein Gemälde, eine Zeichnung, ein Stoff: ohne Rahmen und Rand, {number} Pixel oder mehr je Seite.</translation>
    </message>
    <message>
        <source>Choose a picture…</source>
        <translation>Bild wählen…</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Painter</source>
        <translation>Maler</translation>
    </message>
    <message>
        <source>Photographs</source>
        <translation>Fotos</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
</context>
<context>
    <name>Note</name>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>{number}%</source>
        <translation>{number}&#xa0;%</translation>
    </message>
</context>
<context>
    <name>OpenButton</name>
    <message>
        <source>Show in folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>Open video</source>
        <translation>Video öffnen</translation>
    </message>
    <message>
        <source>No file or whole path was copied</source>
        <translation>Es wurde keine Datei und kein vollständiger Pfad kopiert</translation>
    </message>
</context>
<context>
    <name>Options</name>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Blends the painting with the source; 100% shows only the painting</source>
        <translation>Mischt das Gemälde mit dem Original; bei 100 % ist nur das Gemälde zu sehen</translation>
    </message>
    <message>
        <source>film&apos;s colours, pixel by pixel</source>
        <translation>Farben des Films, Pixel für Pixel</translation>
    </message>
    <message>
        <source>Exposure</source>
        <translation>Belichtung</translation>
    </message>
    <message>
        <source>Brighter or darker: one stop doubles or halves the light</source>
        <translation>Heller oder dunkler: eine Blende ist das doppelte oder halbe Licht</translation>
    </message>
    <message>
        <source>Highlights</source>
        <translation>Lichter</translation>
    </message>
    <message>
        <source>What becomes of parts that are brighter than white: cut off, or compressed</source>
        <translation>Was aus Stellen wird, die heller als Weiß sind: abgeschnitten oder komprimiert</translation>
    </message>
    <message>
        <source>HDR to SDR</source>
        <translation>HDR zu SDR</translation>
    </message>
    <message>
        <source>How the brightness of an HDR film is fitted to the screen</source>
        <translation>Wie die Helligkeit eines HDR-Films an den Bildschirm angepasst wird</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>Sättigung</translation>
    </message>
    <message>
        <source>Paler or stronger colours; 100% leaves them as they are</source>
        <translation>Blassere oder kräftigere Farben; bei 100 % bleiben sie, wie sie sind</translation>
    </message>
    <message>
        <source>Steadiness</source>
        <translation>Ruhe</translation>
    </message>
    <message>
        <source>Less flicker from frame to frame</source>
        <translation>Weniger Flimmern von Bild zu Bild</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Fine detail of the source over broad strokes: faces stay recognisable</source>
        <translation>Feine Details des Originals über breiten Strichen: Gesichter bleiben erkennbar</translation>
    </message>
    <message>
        <source>Brush</source>
        <translation>Pinsel</translation>
    </message>
    <message>
        <source>How far brush strokes replace what is below them</source>
        <translation>Wie weit Pinselstriche ersetzen, was unter ihnen liegt</translation>
    </message>
    <message>
        <source>Relief</source>
        <translation>Relief</translation>
    </message>
    <message>
        <source>How thick the paint is, with marks of the bristles</source>
        <translation>Wie dick die Farbe ist, mit Spuren der Borsten</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>Leinwand</translation>
    </message>
    <message>
        <source>Canvas weave, visible where the paint is thin</source>
        <translation>Leinwandgewebe, sichtbar, wo die Farbe dünn ist</translation>
    </message>
    <message>
        <source>Lamp</source>
        <translation>Lampe</translation>
    </message>
    <message>
        <source>Where the light on relief and canvas comes from: 0° right, 90° above, 180° left</source>
        <translation>Woher das Licht auf Relief und Leinwand kommt: 0° von rechts, 90° von oben, 180° von links</translation>
    </message>
    <message>
        <source>Faces</source>
        <translation>Gesichter</translation>
    </message>
    <message>
        <source>How much of a face comes through the painting</source>
        <translation>Wie viel von einem Gesicht durch das Gemälde scheint</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>Fokus</translation>
    </message>
    <message>
        <source>Fine strokes in the area, and broad ones around it</source>
        <translation>Feine Striche im Bereich, breite um ihn herum</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Innen</translation>
    </message>
    <message>
        <source>How far the area keeps its own colours, painted</source>
        <translation>Wie weit der Bereich seine eigenen Farben behält, gemalt</translation>
    </message>
    <message>
        <source>Around it</source>
        <translation>Darum herum</translation>
    </message>
    <message>
        <source>How far everything around the area keeps its own colours, painted</source>
        <translation>Wie weit alles um den Bereich herum seine eigenen Farben behält, gemalt</translation>
    </message>
    <message>
        <source>Second inside</source>
        <translation>Zweiter innen</translation>
    </message>
    <message>
        <source>How far the area is painted in the second style</source>
        <translation>Wie weit der Bereich im zweiten Stil gemalt wird</translation>
    </message>
    <message>
        <source>Second around</source>
        <translation>Zweiter außen</translation>
    </message>
    <message>
        <source>How far everything around the area is painted in the second style</source>
        <translation>Wie weit alles um den Bereich im zweiten Stil gemalt wird</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Abschneiden</translation>
    </message>
    <message>
        <source>{number} stops</source>
        <translation>{number} Blenden</translation>
    </message>
    <message>
        <source>{number}°</source>
        <translation>{number}°</translation>
    </message>
    <message>
        <source>brush {name}</source>
        <translation>Pinsel {name}</translation>
    </message>
    <message>
        <source>fewer strokes</source>
        <translation>weniger Striche</translation>
    </message>
    <message>
        <source>sizes by {name}</source>
        <translation>Größen nach {name}</translation>
    </message>
    <message>
        <source>directions by {name}</source>
        <translation>Richtungen nach {name}</translation>
    </message>
    <message>
        <source>mask {name}</source>
        <translation>Maske {name}</translation>
    </message>
    <message>
        <source>colours of {picture}</source>
        <translation>Farben von {picture}</translation>
    </message>
    <message>
        <source>film&apos;s palette</source>
        <translation>Palette des Films</translation>
    </message>
    <message>
        <source>fitted to {picture}</source>
        <translation>angepasst an {picture}</translation>
    </message>
    <message>
        <source>table {name}</source>
        <translation>Tabelle {name}</translation>
    </message>
    <message>
        <source>second style {styles}</source>
        <translation>zweiter Stil {styles}</translation>
    </message>
</context>
<context>
    <name>OwnStyles</name>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Save as a file…</source>
        <translation>Als Datei speichern…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Rename the style</source>
        <translation>Stil umbenennen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Hold Ctrl to use it as the style</source>
        <translation>Mit Strg: als Stil</translation>
    </message>
    <message>
        <source>Style networks ({patterns})</source>
        <translation>Stilnetze ({patterns})</translation>
    </message>
    <message>
        <source>Pictures ({patterns})</source>
        <translation>Bilder ({patterns})</translation>
    </message>
    <message>
        <source>Save the style as a file</source>
        <translation>Den Stil als Datei speichern</translation>
    </message>
    <message>
        <source>Remove the style {name}?</source>
        <translation>Den Stil {name} entfernen?</translation>
    </message>
    <message>
        <source>Remove a style</source>
        <translation>Stil entfernen</translation>
    </message>
    <message>
        <source>Its file is deleted. A copy that was saved elsewhere stays.</source>
        <translation>Seine Datei wird gelöscht. Eine anderswo gespeicherte Kopie bleibt.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>{share}, stopped</source>
        <translation>{share}, angehalten</translation>
    </message>
    <message>
        <source>Training the style {name}</source>
        <translation>Der Stil {name} wird trainiert</translation>
    </message>
    <message>
        <source>{name} could not be added to your styles.</source>
        <translation>{name} konnte nicht in Ihre Stile aufgenommen werden.</translation>
    </message>
    <message>
        <source>{name} cannot be renamed.</source>
        <translation>{name} kann nicht umbenannt werden.</translation>
    </message>
    <message>
        <source>The style cannot be saved there.</source>
        <translation>Der Stil kann dort nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>Saved as {path}</source>
        <translation>Gespeichert als {path}</translation>
    </message>
    <message>
        <source>The style cannot be removed.</source>
        <translation>Der Stil kann nicht entfernt werden.</translation>
    </message>
    <message>
        <source>The style was trained but could not be added to your styles.</source>
        <translation>Der Stil ist trainiert, konnte aber nicht in Ihre Stile aufgenommen werden.</translation>
    </message>
    <message>
        <source>The style {name} is trained; it is in the gallery.</source>
        <translation>Der Stil {name} ist trainiert; er steht in der Galerie.</translation>
    </message>
    <message>
        <source>An unfinished export uses {name}.</source>
        <translation>Ein unfertiger Export verwendet {name}.</translation>
    </message>
</context>
<context>
    <name>PaintedFrames</name>
    <message>
        <source>{name} cannot be read as a picture: save it again.</source>
        <translation>{name} kann nicht als Bild gelesen werden: Speichern Sie es noch einmal.</translation>
    </message>
</context>
<context>
    <name>PaintedStrip</name>
    <message>
        <source>Painted frames: {keys} paints the frame on the screen</source>
        <translation>Gemalte Bilder: {keys} öffnet das angezeigte Bild zum Malen</translation>
    </message>
    <message>
        <source>Painted frames</source>
        <translation>Gemalte Bilder</translation>
    </message>
    <message>
        <source>Paint another one here</source>
        <translation>Hier noch eines malen</translation>
    </message>
    <message>
        <source>Paint on…</source>
        <translation>Weitermalen…</translation>
    </message>
    <message>
        <source>Paint this frame…</source>
        <translation>Dieses Bild malen…</translation>
    </message>
    <message>
        <source>Begin again with the film&apos;s frame…</source>
        <translation>Mit dem Bild des Films neu beginnen…</translation>
    </message>
    <message>
        <source>Take it anyway</source>
        <translation>Trotzdem nehmen</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Paint the film with it</source>
        <translation>Den Film damit malen</translation>
    </message>
    <message>
        <source>Take away</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Cannot be read as a picture</source>
        <translation>Kann nicht als Bild gelesen werden</translation>
    </message>
    <message>
        <source>Does not look like a painting of this frame</source>
        <translation>Sieht nicht aus wie ein Gemälde dieses Bildes</translation>
    </message>
    <message>
        <source>Painted frame</source>
        <translation>Gemaltes Bild</translation>
    </message>
    <message>
        <source>Waits to be painted and saved</source>
        <translation>Wartet darauf, gemalt und gespeichert zu werden</translation>
    </message>
    <message>
        <source>Here the style is least sure: {share}</source>
        <translation>Hier ist sich der Stil am wenigsten sicher: {share}</translation>
    </message>
</context>
<context>
    <name>Painting</name>
    <message>
        <source>Painted frames</source>
        <translation>Gemalte Bilder</translation>
    </message>
    <message>
        <source>Paint over {name} in your program, and save it under its name: the shot follows.</source>
        <translation>Übermalen Sie {name} in Ihrem Programm, und speichern Sie es unter seinem Namen: Die Einstellung folgt.</translation>
    </message>
    <message>
        <source>No program of this desktop opens {path}: paint over it in any program, and save it there.</source>
        <translation>Kein Programm dieses Desktops öffnet {path}: Übermalen Sie es in einem beliebigen Programm, und speichern Sie es dort.</translation>
    </message>
    <message>
        <source>What was painted over frame {number} does not look like it: its edges are elsewhere. Paint it without moving things, or choose “Take it anyway” in its menu under the seek bar.</source>
        <translation>Was über Bild {number} gemalt wurde, sieht ihm nicht ähnlich: Seine Kanten liegen anderswo. Malen Sie es, ohne Dinge zu verschieben, oder wählen Sie „Trotzdem nehmen“ in seinem Menü unter der Suchleiste.</translation>
    </message>
</context>
<context>
    <name>Player</name>
    <message>
        <source>This display does not support 10 bits per colour; 8 bits are used.</source>
        <translation>Dieser Bildschirm unterstützt keine 10 Bit je Farbe; verwendet werden 8 Bit.</translation>
    </message>
    <message>
        <source>This style is painted in 32 bits, because 16 bits would lose too much precision.</source>
        <translation>Dieser Stil wird in 32 Bit gemalt, weil 16 Bit zu ungenau wären.</translation>
    </message>
    <message>
        <source>This style is painted in 32 bits: only bundled paintings can have 8, without a changing blend.</source>
        <translation>Dieser Stil wird in 32 Bit gemalt: 8 gibt es nur für mitgelieferte Gemälde, ohne wechselnde Mischung.</translation>
    </message>
    <message>
        <source>its colours are fitted to the frames shown so far; an export analyses each whole shot</source>
        <translation>seine Farben richten sich nach den bisher gezeigten Bildern; ein Export wertet jede Einstellung ganz aus</translation>
    </message>
    <message>
        <source>This style cannot be used: {reason}</source>
        <translation>Dieser Stil ist nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>This brush cannot be used: {reason}</source>
        <translation>Dieser Pinsel kann nicht verwendet werden: {reason}</translation>
    </message>
    <message>
        <source>These colours cannot be used: {reason}</source>
        <translation>Diese Farben sind nicht verwendbar: {reason}</translation>
    </message>
    <message>
        <source>There is no colour table to save: choose a picture as the style, or set colours.</source>
        <translation>Es gibt keine Farbtabelle zu speichern: Wählen Sie ein Bild als Stil, oder legen Sie Farben fest.</translation>
    </message>
    <message>
        <source>This device cannot be used; painting on the CPU: {reason}</source>
        <translation>Dieses Gerät ist nicht verwendbar, daher malt der Prozessor: {reason}</translation>
    </message>
    <message>
        <source>This source does not support seeking.</source>
        <translation>In dieser Quelle lässt sich nicht springen.</translation>
    </message>
    <message>
        <source>This source does not support seeking, and the earlier frames are no longer in memory.</source>
        <translation>In dieser Quelle lässt sich nicht springen, und die früheren Bilder sind nicht mehr im Speicher.</translation>
    </message>
    <message>
        <source>This device is too slow for the film: frames are left out here; exports have all of them. In a pause, frames are painted ahead and then play in time. Picture &gt; Fewer strokes is faster, and changes exports, too.</source>
        <translation>Dieses Gerät ist für den Film zu langsam: Hier werden Bilder ausgelassen, Exporte enthalten alle. In einer Pause werden Bilder vorausgemalt und laufen danach flüssig. Bild &gt; Weniger Striche ist schneller und ändert auch Exporte.</translation>
    </message>
    <message>
        <source>The screenshot could not be written to {path}: {reason}</source>
        <translation>Das Bildschirmfoto konnte nicht nach {path} geschrieben werden: {reason}</translation>
    </message>
    <message>
        <source>The GPU was lost. Playback continues on the CPU.</source>
        <translation>Die Verbindung zur Grafikkarte ging verloren. Die Wiedergabe läuft auf dem Prozessor weiter.</translation>
    </message>
    <message>
        <source>The style failed, so the video is shown without one: {reason}</source>
        <translation>Der Stil ist fehlgeschlagen, daher wird das Video ohne Stil gezeigt: {reason}</translation>
    </message>
    <message>
        <source>The picture cannot be shown: {reason}</source>
        <translation>Das Bild kann nicht gezeigt werden: {reason}</translation>
    </message>
    <message>
        <source>Internal error in Framebrush.</source>
        <translation>Interner Fehler in Framebrush.</translation>
    </message>
    <message>
        <source>Recorded as {path}</source>
        <translation>Aufgenommen als {path}</translation>
    </message>
    <message>
        <source>Close other programs, or make the strokes larger: they take less memory.</source>
        <translation>Schließen Sie andere Programme oder vergrößern Sie die Striche: Größere brauchen weniger Speicher.</translation>
    </message>
    <message>
        <source>Recorded as {path}. The encoder was too slow; missing frames: {number}.</source>
        <translation>Aufgenommen als {path}. Der Encoder war zu langsam; fehlende Bilder: {number}.</translation>
    </message>
    <message>
        <source>The recording failed: {reason}</source>
        <translation>Die Aufnahme ist fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>Internal error in Framebrush: nothing is painted ahead in this look.</source>
        <translation>Interner Fehler in Framebrush: In diesem Look wird nichts vorausgemalt.</translation>
    </message>
    <message>
        <source>Memory is full: nothing is painted ahead in this look.</source>
        <translation>Der Speicher ist voll: In diesem Look wird nichts vorausgemalt.</translation>
    </message>
    <message>
        <source>Other programs find the painted picture in the camera {camera}</source>
        <translation>Andere Programme finden das gemalte Bild in der Kamera {camera}</translation>
    </message>
    <message>
        <source>The virtual camera failed: {reason}</source>
        <translation>Die virtuelle Kamera ist ausgefallen: {reason}</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>The window has this language when it is opened again.</source>
        <translation>Die Sprache gilt, sobald das Fenster das nächste Mal geöffnet wird.</translation>
    </message>
</context>
<context>
    <name>PreviewBadge</name>
    <message>
        <source>As exported</source>
        <translation>Wie im Export</translation>
    </message>
    <message>
        <source>Painted ahead: an export would encode exactly this frame.</source>
        <translation>Vorausgemalt: Ein Export würde genau dieses Bild kodieren.</translation>
    </message>
    <message>
        <source>Preview at {width} × {height}</source>
        <translation>Vorschau mit {width} × {height}</translation>
    </message>
    <message>
        <source>This computer cannot paint at full size during playback. Strokes are as wide as in an export, but finer detail is missing.</source>
        <translation>Dieser Computer kann während der Wiedergabe nicht in voller Größe malen. Striche sind so breit wie im Export, aber feinere Details fehlen.</translation>
    </message>
    <message>
        <source>Preview at full size</source>
        <translation>Vorschau in voller Größe</translation>
    </message>
    <message>
        <source>Painted at the size of an export, but not yet blended with the frames around it.</source>
        <translation>In der Größe eines Exports gemalt, aber noch nicht mit den Bildern davor und danach gemischt.</translation>
    </message>
</context>
<context>
    <name>ProcessRunner</name>
    <message>
        <source>{program} could not be started.</source>
        <translation>{program} konnte nicht gestartet werden.</translation>
    </message>
    <message>
        <source>Its process ended unexpectedly.</source>
        <translation>Der Prozess endete unerwartet.</translation>
    </message>
</context>
<context>
    <name>ProjectKeeper</name>
    <message>
        <source>{name} is open in another window, so this one works on a copy: File → Save project as… gives it a name.</source>
        <translation>{name} ist in einem anderen Fenster geöffnet, dieses arbeitet daher mit einer Kopie: Datei → Projekt speichern unter… gibt ihr einen Namen.</translation>
    </message>
    <message>
        <source>The settings kept for {name} are damaged. They were put aside as {path}.</source>
        <translation>Die gespeicherten Einstellungen für {name} sind beschädigt. Sie liegen jetzt unter {path}.</translation>
    </message>
    <message>
        <source>The settings kept for {name} cannot be read, so they stay, and new ones are kept beside.</source>
        <translation>Die gespeicherten Einstellungen für {name} sind nicht lesbar. Sie bleiben erhalten, neue werden daneben gespeichert.</translation>
    </message>
    <message>
        <source>{name} cannot be written. Its settings are kept as {path} from now on.</source>
        <translation>{name} lässt sich nicht schreiben. Die Einstellungen werden ab jetzt als {path} gespeichert.</translation>
    </message>
    <message>
        <source>The settings of {name} cannot be kept: free some room on the disk, or save the project elsewhere.</source>
        <translation>Die Einstellungen von {name} lassen sich nicht speichern: Bitte Platz auf dem Datenträger schaffen oder das Projekt woanders speichern.</translation>
    </message>
    <message>
        <source>{name} is open in another window. Choose another name.</source>
        <translation>{name} ist in einem anderen Fenster geöffnet. Bitte einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>{name} cannot be written. Choose another folder.</source>
        <translation>{name} lässt sich nicht schreiben. Bitte einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>Saved as {path}</source>
        <translation>Gespeichert als {path}</translation>
    </message>
</context>
<context>
    <name>Quality</name>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>A better picture makes a larger file</source>
        <translation>Ein besseres Bild macht die Datei größer</translation>
    </message>
    <message>
        <source>Smaller file</source>
        <translation>Kleinere Datei</translation>
    </message>
    <message>
        <source>Better picture</source>
        <translation>Besseres Bild</translation>
    </message>
    <message>
        <source>{codec} by {encoder}</source>
        <translation>{codec} mit {encoder}</translation>
    </message>
    <message>
        <source>{container} cannot hold {codec}. Choose another codec or another file extension.</source>
        <translation>{container} kann {codec} nicht aufnehmen. Bitte einen anderen Codec oder eine andere Dateiendung wählen.</translation>
    </message>
    <message>
        <source>HDR cannot be kept: choose another codec, or a pixel format of 10 bits or more.</source>
        <translation>HDR lässt sich so nicht beibehalten: einen anderen Codec wählen oder ein Pixelformat mit mindestens 10 Bit.</translation>
    </message>
    <message>
        <source>No encoder on this computer writes {codec} in {format} to {container}. Choose another codec or another pixel format.</source>
        <translation>Kein Encoder auf diesem Computer schreibt {codec} mit {format} in {container}. Bitte einen anderen Codec oder ein anderes Pixelformat wählen.</translation>
    </message>
    <message>
        <source>fixed by the codec</source>
        <translation>durch den Codec festgelegt</translation>
    </message>
    <message>
        <source>beyond visually lossless, very large</source>
        <translation>besser als ohne sichtbaren Verlust, sehr groß</translation>
    </message>
    <message>
        <source>visually lossless</source>
        <translation>ohne sichtbaren Verlust</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>medium, small</source>
        <translation>mittel, klein</translation>
    </message>
    <message>
        <source>low, very small</source>
        <translation>niedrig, sehr klein</translation>
    </message>
    <message>
        <source>CRF {number}: {words}</source>
        <translation>CRF {number}: {words}</translation>
    </message>
    <message>
        <source>{codec} cannot aim at a file size. Choose another codec, or no file size.</source>
        <translation>Mit {codec} lässt sich keine Dateigröße vorgeben. Bitte einen anderen Codec wählen, oder keine Dateigröße.</translation>
    </message>
    <message>
        <source>as the size of the file allows</source>
        <translation>so gut, wie die Dateigröße erlaubt</translation>
    </message>
</context>
<context>
    <name>Reports</name>
    <message>
        <source>Saved as {path}</source>
        <translation>Gespeichert als {path}</translation>
    </message>
    <message>
        <source>Copied: {size}</source>
        <translation>Kopiert: {size}</translation>
    </message>
    <message>
        <source>{name} is finished.</source>
        <translation>{name} ist fertig.</translation>
    </message>
    <message>
        <source>Choose a painting on the right. Hold B to see the source; D compares, the wheel zooms, and F1 lists all keys.</source>
        <translation>Wählen Sie rechts ein Gemälde. Solange B gedrückt ist, sehen Sie das Original, D vergleicht, das Rad vergrößert, F1 zeigt alle Tasten.</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Wird geöffnet…</translation>
    </message>
    <message>
        <source>Seeking…</source>
        <translation>Stelle wird gesucht…</translation>
    </message>
    <message>
        <source>Loading the style…</source>
        <translation>Stil wird geladen…</translation>
    </message>
    <message>
        <source>Opening the device…</source>
        <translation>Gerät wird geöffnet…</translation>
    </message>
</context>
<context>
    <name>RestorePointReporter</name>
    <message>
        <source>The window ended unexpectedly, as a graphics driver or a lack of memory can cause. It is open again where it was, and paints on the CPU; another device can be chosen under Device.</source>
        <translation>Das Fenster wurde unerwartet beendet, wie es durch einen Grafiktreiber oder fehlenden Arbeitsspeicher vorkommen kann. Es ist wieder dort geöffnet, wo es war, und malt auf dem Prozessor; unter „Gerät“ lässt sich ein anderes Gerät wählen.</translation>
    </message>
</context>
<context>
    <name>RevealBar</name>
    <message>
        <source>Painting the frame…</source>
        <translation>Das Bild wird gemalt…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>ScopeOverlay</name>
    <message>
        <source>Waveform and vectorscope</source>
        <translation>Waveform und Vektorskop</translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>{section}, advanced</source>
        <translation>{section}, erweitert</translation>
    </message>
</context>
<context>
    <name>SeekBar</name>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>{share} painted ahead</source>
        <translation>{share} vorausgemalt</translation>
    </message>
</context>
<context>
    <name>SettingSearch</name>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Find (/)</source>
        <translation>Suchen (/)</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>Einstellung suchen</translation>
    </message>
    <message>
        <source>Settings with these words</source>
        <translation>Einstellungen mit diesen Wörtern</translation>
    </message>
</context>
<context>
    <name>ShotLearner</name>
    <message>
        <source>this program does not include Python</source>
        <translation>dieses Programm enthält kein Python</translation>
    </message>
    <message>
        <source>Another window of Framebrush is learning from these frames.</source>
        <translation>Ein anderes Fenster von Framebrush lernt gerade von diesen Bildern.</translation>
    </message>
    <message>
        <source>Its process ended with status {status}.</source>
        <translation>Sein Prozess endete mit dem Status {status}.</translation>
    </message>
    <message>
        <source>Learning from the painted frames failed: {reason}</source>
        <translation>Das Lernen von den gemalten Bildern ist fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>What you paint is kept, but not learnt: PyTorch is missing ({reason}). Choose a Python that has it under “Train a style from a picture”.</source>
        <translation>Was Sie malen, bleibt, wird aber nicht gelernt: PyTorch fehlt ({reason}). Wählen Sie unter „Stil aus einem Bild trainieren“ ein Python, das es hat.</translation>
    </message>
    <message>
        <source>What you paint is kept, but not learnt: PyTorch is missing ({reason}). Install it with {command}, then choose “Learn on”.</source>
        <translation>Was Sie malen, bleibt, wird aber nicht gelernt: PyTorch fehlt ({reason}). Installieren Sie es mit {command}, und wählen Sie dann „Weiter“.</translation>
    </message>
</context>
<context>
    <name>StatisticsOverlay</name>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>read back</source>
        <translation>Rücklesen</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>Dekodieren</translation>
    </message>
    <message>
        <source>upload</source>
        <translation>Hochladen</translation>
    </message>
    <message>
        <source>convert</source>
        <translation>Umwandeln</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>Beruhigen</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>fetch</source>
        <translation>Abholen</translation>
    </message>
    <message>
        <source>present</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>{number} per frame</source>
        <translation>{number} je Bild</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>gepuffert</translation>
    </message>
</context>
<context>
    <name>StrokePanel</name>
    <message>
        <source>Stroke size</source>
        <translation>Strichgröße</translation>
    </message>
    <message>
        <source>Larger strokes are painted faster, and with less detail</source>
        <translation>Größere Striche werden schneller gemalt und mit weniger Details</translation>
    </message>
    <message>
        <source>Automatic: {number}×</source>
        <translation>Automatisch: {number}×</translation>
    </message>
    <message>
        <source>Painted at {width} × {height}</source>
        <translation>Gemalt in {width} × {height}</translation>
    </message>
    <message>
        <source>{number}×</source>
        <translation>{number}×</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
</context>
<context>
    <name>StyleKeyframes</name>
    <message>
        <source>Style</source>
        <translation>Stil</translation>
    </message>
    <message>
        <source>Shots can differ in paintings of one file only</source>
        <translation>Einstellungen können sich nur in Gemälden einer Datei unterscheiden</translation>
    </message>
    <message>
        <source>Looking for the shot…</source>
        <translation>Einstellung wird gesucht…</translation>
    </message>
    <message>
        <source>The shot cannot be found, because the film cannot be read there.</source>
        <translation>Die Einstellung lässt sich nicht finden, weil der Film dort nicht lesbar ist.</translation>
    </message>
    <message>
        <source>This shot has its own style</source>
        <translation>Diese Einstellung hat ihren eigenen Stil</translation>
    </message>
</context>
<context>
    <name>StyleLane</name>
    <message>
        <source>Styles</source>
        <translation>Stile</translation>
    </message>
    <message>
        <source>No style</source>
        <translation>Ohne Stil</translation>
    </message>
</context>
<context>
    <name>StyleShare</name>
    <message>
        <source>Double-click to use the style&apos;s value</source>
        <translation>Doppelklick: Wert des Stils verwenden</translation>
    </message>
    <message>
        <source>Style: {share}</source>
        <translation>Stil: {share}</translation>
    </message>
</context>
<context>
    <name>Styles</name>
    <message>
        <source>Starry night</source>
        <translation>Sternennacht</translation>
    </message>
    <message>
        <source>Great wave</source>
        <translation>Die große Welle</translation>
    </message>
    <message>
        <source>Scream</source>
        <translation>Der Schrei</translation>
    </message>
    <message>
        <source>Composition VII</source>
        <translation>Komposition VII</translation>
    </message>
    <message>
        <source>Udnie</source>
        <translation>Udnie</translation>
    </message>
    <message>
        <source>Wheat field</source>
        <translation>Weizenfeld</translation>
    </message>
    <message>
        <source>Dusk</source>
        <translation>Dämmerung</translation>
    </message>
    <message>
        <source>Tahiti</source>
        <translation>Tahiti</translation>
    </message>
    <message>
        <source>Charing Cross</source>
        <translation>Charing Cross</translation>
    </message>
    <message>
        <source>Rhone</source>
        <translation>Rhône</translation>
    </message>
    <message>
        <source>Night café</source>
        <translation>Nachtcafé</translation>
    </message>
    <message>
        <source>Olive trees</source>
        <translation>Olivenbäume</translation>
    </message>
    <message>
        <source>Self-portrait</source>
        <translation>Selbstbildnis</translation>
    </message>
    <message>
        <source>Cottages</source>
        <translation>Hütten</translation>
    </message>
    <message>
        <source>Te fare</source>
        <translation>Te fare</translation>
    </message>
    <message>
        <source>In bed</source>
        <translation>Im Bett</translation>
    </message>
    <message>
        <source>Ink</source>
        <translation>Tusche</translation>
    </message>
    <message>
        <source>Oil</source>
        <translation>Öl</translation>
    </message>
    <message>
        <source>Sixteen paintings, for real time</source>
        <translation>Sechzehn Gemälde, in Echtzeit</translation>
    </message>
    <message>
        <source>Sixteen paintings, finer</source>
        <translation>Sechzehn Gemälde, feiner</translation>
    </message>
    <message>
        <source>Vincent van Gogh, 1889</source>
        <translation>Vincent van Gogh, 1889</translation>
    </message>
    <message>
        <source>Katsushika Hokusai, 1831</source>
        <translation>Katsushika Hokusai, 1831</translation>
    </message>
    <message>
        <source>Edvard Munch, 1893</source>
        <translation>Edvard Munch, 1893</translation>
    </message>
    <message>
        <source>Wassily Kandinsky, 1913</source>
        <translation>Wassily Kandinsky, 1913</translation>
    </message>
    <message>
        <source>Francis Picabia, 1913</source>
        <translation>Francis Picabia, 1913</translation>
    </message>
    <message>
        <source>Claude Monet, 1908</source>
        <translation>Claude Monet, 1908</translation>
    </message>
    <message>
        <source>Paul Gauguin, 1890s</source>
        <translation>Paul Gauguin, 1890er Jahre</translation>
    </message>
    <message>
        <source>Claude Monet, 1903</source>
        <translation>Claude Monet, 1903</translation>
    </message>
    <message>
        <source>Vincent van Gogh, 1888</source>
        <translation>Vincent van Gogh, 1888</translation>
    </message>
    <message>
        <source>Vincent van Gogh, 1887</source>
        <translation>Vincent van Gogh, 1887</translation>
    </message>
    <message>
        <source>Vincent van Gogh, 1890</source>
        <translation>Vincent van Gogh, 1890</translation>
    </message>
    <message>
        <source>Paul Gauguin, 1892</source>
        <translation>Paul Gauguin, 1892</translation>
    </message>
    <message>
        <source>Henri de Toulouse-Lautrec, 1893</source>
        <translation>Henri de Toulouse-Lautrec, 1893</translation>
    </message>
    <message>
        <source>The film itself</source>
        <translation>Der Film selbst</translation>
    </message>
    <message>
        <source>A drawing of the film&apos;s lines</source>
        <translation>Eine Zeichnung aus den Linien des Films</translation>
    </message>
    <message>
        <source>The film itself in brush strokes</source>
        <translation>Der Film selbst in Pinselstrichen</translation>
    </message>
</context>
<context>
    <name>Subject</name>
    <message>
        <source>People</source>
        <translation>Personen</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Innen</translation>
    </message>
    <message>
        <source>Around it</source>
        <translation>Darum herum</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Own colours</source>
        <translation>Eigene Farben</translation>
    </message>
    <message>
        <source>What keeps the film&apos;s own colours under the strokes</source>
        <translation>Was unter den Strichen die eigenen Farben des Films behält</translation>
    </message>
    <message>
        <source>Whatever stands out</source>
        <translation>Was heraussticht</translation>
    </message>
    <message>
        <source>What is far away</source>
        <translation>Was weit entfernt ist</translation>
    </message>
    <message>
        <source>The film&apos;s alpha</source>
        <translation>Alpha des Films</translation>
    </message>
    <message>
        <source>Picture or video…</source>
        <translation>Bild oder Video…</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>What is painted in a way of its own; hold V to see it in red</source>
        <translation>Der Bereich, der anders gemalt wird; mit gehaltener Taste V ist er rot</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Second style</source>
        <translation>Zweiter Stil</translation>
    </message>
    <message>
        <source>Another style, in which the area or everything around it is painted</source>
        <translation>Ein anderer Stil, in dem der Bereich oder alles um ihn gemalt wird</translation>
    </message>
    <message>
        <source>The style in use cannot share a frame with another one</source>
        <translation>Der verwendete Stil kann kein Bild mit einem anderen teilen</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Motiv</translation>
    </message>
</context>
<context>
    <name>SubtitleLane</name>
    <message>
        <source>Subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>Lines: {count}</source>
        <translation>Zeilen: {count}</translation>
    </message>
</context>
<context>
    <name>TargetCheck</name>
    <message>
        <source>This name cannot be used ({reason}).</source>
        <translation>Dieser Name ist nicht möglich ({reason}).</translation>
    </message>
    <message>
        <source>There is no folder {folder}.</source>
        <translation>Den Ordner {folder} gibt es nicht.</translation>
    </message>
    <message>
        <source>Another export is writing {name}.</source>
        <translation>Ein anderer Export schreibt {name}.</translation>
    </message>
    <message>
        <source>{name} is a folder.</source>
        <translation>{name} ist ein Ordner.</translation>
    </message>
    <message>
        <source>{name} is the video being painted.</source>
        <translation>{name} ist das Video, das gemalt wird.</translation>
    </message>
    <message>
        <source>Another export of {name} is not finished; it is kept.</source>
        <translation>Ein anderer Export von {name} ist nicht fertig; er bleibt erhalten.</translation>
    </message>
    <message>
        <source>{name} already exists.</source>
        <translation>{name} ist schon vorhanden.</translation>
    </message>
    <message>
        <source>Save as {name}</source>
        <translation>Als {name} speichern</translation>
    </message>
    <message>
        <source>The old file stays until the new one is complete.</source>
        <translation>Die alte Datei bleibt erhalten, bis die neue fertig ist.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
</context>
<context>
    <name>TargetField</name>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Videos ({patterns})</source>
        <translation>Videos ({patterns})</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>Visible part of the film</source>
        <translation>Sichtbarer Teil des Films</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Open a film</source>
        <translation>Film öffnen</translation>
    </message>
    <message>
        <source>Drop it anywhere on the window, or choose it here. The sample film is there to play with.</source>
        <translation>Ziehen Sie ihn irgendwo auf das Fenster, oder wählen Sie ihn hier. Der Beispielfilm ist zum Ausprobieren da.</translation>
    </message>
    <message>
        <source>Choose a painting</source>
        <translation>Gemälde wählen</translation>
    </message>
    <message>
        <source>Point at a tile to try it on the film; click to keep it. A picture dropped here is a style.</source>
        <translation>Zeigen Sie auf eine Kachel, um sie am Film zu probieren; ein Klick behält sie. Ein Bild, das Sie hierher ziehen, wird zum Stil.</translation>
    </message>
    <message>
        <source>Set the brush</source>
        <translation>Pinsel einstellen</translation>
    </message>
    <message>
        <source>Each title below opens a section: subject, colour, light and more. / finds a setting.</source>
        <translation>Jeder Titel darunter öffnet einen Abschnitt: Motiv, Farbe, Licht und mehr. / findet eine Einstellung.</translation>
    </message>
    <message>
        <source>Move through the film</source>
        <translation>Durch den Film gehen</translation>
    </message>
    <message>
        <source>Space plays. The lanes show styles, markers and keyframes; the wheel enlarges them.</source>
        <translation>Die Leertaste spielt ab. Die Spuren zeigen Stile, Marker und Schlüsselbilder; das Rad vergrößert sie.</translation>
    </message>
    <message>
        <source>Export it</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Size and time are estimated first. F1 lists all keys, and Help has this tour again.</source>
        <translation>Größe und Dauer werden vorher geschätzt. F1 zeigt alle Tasten, und unter „Hilfe“ finden Sie diesen Rundgang wieder.</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} von {count}</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>TrainingCapabilities</name>
    <message>
        <source>about {number} min</source>
        <translation>etwa {number} min</translation>
    </message>
    <message>
        <source>about {number} h</source>
        <translation>etwa {number} h</translation>
    </message>
    <message>
        <source>This program does not include Python.</source>
        <translation>Dieses Programm enthält kein Python.</translation>
    </message>
    <message>
        <source>Not installed: {names}.</source>
        <translation>Nicht installiert: {names}.</translation>
    </message>
    <message>
        <source>It does not answer.</source>
        <translation>Es antwortet nicht.</translation>
    </message>
</context>
<context>
    <name>TrainingRunner</name>
    <message>
        <source>The picture cannot be copied ({reason}).</source>
        <translation>Das Bild kann nicht kopiert werden ({reason}).</translation>
    </message>
    <message>
        <source>Another window of Framebrush is training a style.</source>
        <translation>Ein anderes Fenster von Framebrush trainiert gerade einen Stil.</translation>
    </message>
    <message>
        <source>The training of the style {name} is not finished; resume it under “Train a style from a picture”.</source>
        <translation>Das Training des Stils {name} ist nicht abgeschlossen; setzen Sie es unter „Stil aus einem Bild trainieren“ fort.</translation>
    </message>
    <message>
        <source>There is no training to resume: another window has completed or discarded it.</source>
        <translation>Es gibt kein Training mehr fortzusetzen: Ein anderes Fenster hat es abgeschlossen oder verworfen.</translation>
    </message>
    <message>
        <source>Its process ended with status {status}.</source>
        <translation>Sein Prozess endete mit Status {status}.</translation>
    </message>
    <message>
        <source>Training {name} failed: {reason}</source>
        <translation>Das Training von {name} ist fehlgeschlagen: {reason}</translation>
    </message>
</context>
<context>
    <name>Transport</name>
    <message>
        <source>There is no sound output: connect one, and open the video again.</source>
        <translation>Es gibt keine Tonausgabe: Schließen Sie eine an und öffnen Sie das Video erneut.</translation>
    </message>
    <message>
        <source>This video has no sound.</source>
        <translation>Dieses Video hat keinen Ton.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Timecode of the film</source>
        <translation>Timecode des Films</translation>
    </message>
    <message>
        <source>Frame number</source>
        <translation>Bildnummer</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Speed ([ and ])</source>
        <translation>Geschwindigkeit ([ und ])</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>More controls</source>
        <translation>Weitere Bedienelemente</translation>
    </message>
    <message>
        <source>Volume (↑ and ↓)</source>
        <translation>Lautstärke (↑ und ↓)</translation>
    </message>
    <message>
        <source>Frame {number}</source>
        <translation>Bild {number}</translation>
    </message>
    <message>
        <source>Frame {number} / {last}</source>
        <translation>Bild {number} / {last}</translation>
    </message>
</context>
<context>
    <name>Trial</name>
    <message>
        <source>{number} seconds</source>
        <translation>{number} Sekunden</translation>
    </message>
    <message>
        <source>Length of the trial</source>
        <translation>Länge der Probe</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Probieren</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Estimating size and time…</source>
        <translation>Größe und Dauer werden geschätzt…</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>Probe läuft…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>No estimate: {reason}</source>
        <translation>Keine Schätzung: {reason}</translation>
    </message>
    <message>
        <source>at most {size}</source>
        <translation>höchstens {size}</translation>
    </message>
    <message>
        <source>about {size}</source>
        <translation>etwa {size}</translation>
    </message>
    <message>
        <source>{size} per second</source>
        <translation>{size} je Sekunde</translation>
    </message>
    <message>
        <source>in about {time}</source>
        <translation>in etwa {time}</translation>
    </message>
    <message>
        <source>{number} frames per second</source>
        <translation>{number} Bilder je Sekunde</translation>
    </message>
    <message>
        <source>Estimate: {facts}</source>
        <translation>Schätzung: {facts}</translation>
    </message>
</context>
<context>
    <name>Veil</name>
    <message>
        <source>No mask is in use here</source>
        <translation>Hier wirkt keine Maske</translation>
    </message>
</context>
<context>
    <name>VideoView</name>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
</context>
<context>
    <name>ViewControls</name>
    <message>
        <source>Whole picture</source>
        <translation>Ganzes Bild</translation>
    </message>
</context>
<context>
    <name>Volume</name>
    <message>
        <source>Volume {share}</source>
        <translation>Lautstärke {share}</translation>
    </message>
</context>
<context>
    <name>Watching</name>
    <message>
        <source>This look has no strokes. Raise Brush in the section Brush.</source>
        <translation>Dieser Look hat keine Striche. Pinsel im Abschnitt Pinsel erhöhen.</translation>
    </message>
</context>
</TS>
