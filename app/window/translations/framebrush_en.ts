<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ExportRunner</name>
    <message numerus="yes">
        <source>%n export(s) did not finish last time; start them again under Exports.</source>
        <translation>
            <numerusform>%n export did not finish last time; start it again under Exports.</numerusform>
            <numerusform>%n exports did not finish last time; start them again under Exports.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n frame(s) could not be read; all others were written.</source>
        <translation>
            <numerusform>%n frame could not be read; all others were written.</numerusform>
            <numerusform>%n frames could not be read; all others were written.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>JobCard</name>
    <message numerus="yes">
        <source>%n frame(s)</source>
        <translation>
            <numerusform>%n frame</numerusform>
            <numerusform>%n frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MaskStrip</name>
    <message numerus="yes">
        <source>Strokes that correct the mask: %n</source>
        <translation>
            <numerusform>Strokes that correct the mask: %n</numerusform>
            <numerusform>Strokes that correct the mask: %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NewStyleForm</name>
    <message numerus="yes">
        <source>%n photograph(s) in this folder.</source>
        <translation>
            <numerusform>%n photograph in this folder.</numerusform>
            <numerusform>%n photographs in this folder.</numerusform>
        </translation>
    </message>
</context>
</TS>
