; The installer for Windows; tools/package.py gives the definitions and files.nsh.
;   VERSION, VERSION4 (four numbers), FOLDER (what is installed), OUTPUT, SIZE_KB, LICENCE (what is shown), FILES (files.nsh)
;
; Options of a silent installation: /S, /D=FOLDER (last), /PATH=1 (the command line on the PATH), /OPENWITH=0, /STARTMENU=0.
; Exit status: 0 done, 1 cancelled, 2 a copy is running, 3 no room, 4 this Windows is too old, 5 files could not be written.

!ifndef WINDOWS_NSIS ; NSIS for Windows has a stub of 32 bits alone, which does not start in the rig
  Target amd64-unicode
!endif
Unicode true
ManifestDPIAware true
ManifestSupportedOS all
RequestExecutionLevel user
SetCompressor /SOLID lzma

!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include WordFunc.nsh
!include x64.nsh
!insertmacro WordAdd
!insertmacro un.WordAdd

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Framebrush"
!define CLASSES "Software\Classes"
!define PROGID "Framebrush.Video"
!define PROJECT "Framebrush.Project"

Name "Framebrush"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Framebrush"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
BrandingText "Framebrush ${VERSION}"
VIProductVersion "${VERSION4}"
VIFileVersion "${VERSION4}"
VIAddVersionKey /LANG=1033 "ProductName" "Framebrush"
VIAddVersionKey /LANG=1033 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileDescription" "Framebrush setup"
VIAddVersionKey /LANG=1033 "CompanyName" "The Framebrush authors"
VIAddVersionKey /LANG=1033 "LegalCopyright" "The Framebrush authors; licences of what is bundled are installed with it"

!define MUI_ICON "${__FILEDIR__}/framebrush.ico"
!define MUI_UNICON "${__FILEDIR__}/framebrush.ico"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\framebrush-gui.exe"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString OLD ${LANG_ENGLISH} "Framebrush needs Windows 10 of October 2018 (version 1809) or later, of 64 bits."
LangString OLD ${LANG_GERMAN} "Framebrush benötigt Windows 10 vom Oktober 2018 (Version 1809) oder neuer mit 64 Bit."
LangString RUNNING ${LANG_ENGLISH} "Framebrush is running from $INSTDIR. Close its windows, let its exports end, and try again."
LangString RUNNING ${LANG_GERMAN} "Framebrush läuft gerade aus $INSTDIR. Bitte die Fenster schließen, Exporte enden lassen und noch einmal versuchen."
LangString ROOM ${LANG_ENGLISH} "There is no room: $INSTDIR needs $R1 MB and its disk has $R0 MB free. Free some, or choose another folder."
LangString ROOM ${LANG_GERMAN} "Kein Platz: $INSTDIR benötigt $R1 MB, auf dem Datenträger sind $R0 MB frei. Bitte Platz schaffen oder einen anderen Ordner wählen."
LangString UNWRITTEN ${LANG_ENGLISH} "Not every file could be written to $INSTDIR. Is the folder writable? Does a virus scanner hold a file?"
LangString UNWRITTEN ${LANG_GERMAN} "Nicht alle Dateien konnten nach $INSTDIR geschrieben werden. Ist der Ordner beschreibbar? Hält ein Virenscanner eine Datei fest?"
LangString LONGPATH ${LANG_ENGLISH} "The PATH is too long to be changed safely and was left as it is. The command line is $INSTDIR\framebrush.exe."
LangString LONGPATH ${LANG_GERMAN} "Der PATH ist zu lang, um ihn sicher zu ändern, und bleibt, wie er ist. Die Kommandozeile ist $INSTDIR\framebrush.exe."
LangString KIND_PROJECT ${LANG_ENGLISH} "Framebrush project"
LangString KIND_PROJECT ${LANG_GERMAN} "Framebrush-Projekt"
LangString SECTION_PROGRAM ${LANG_ENGLISH} "Framebrush"
LangString SECTION_PROGRAM ${LANG_GERMAN} "Framebrush"
LangString SECTION_MENU ${LANG_ENGLISH} "Start menu"
LangString SECTION_MENU ${LANG_GERMAN} "Startmenü"
LangString SECTION_OPEN ${LANG_ENGLISH} "$\"Open with$\" for videos"
LangString SECTION_OPEN ${LANG_GERMAN} "„Öffnen mit“ für Videos"
LangString SECTION_PATH ${LANG_ENGLISH} "Command line on the PATH"
LangString SECTION_PATH ${LANG_GERMAN} "Kommandozeile im PATH"

; Fails where a program file is open: Windows keeps that of a running program from being written.
!macro StopIfRunning PROGRAM
  ${Do}
    ${IfNot} ${FileExists} "$INSTDIR\${PROGRAM}"
      ${Break}
    ${EndIf}
    ClearErrors
    FileOpen $0 "$INSTDIR\${PROGRAM}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${Break}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDRETRY +3
    SetErrorLevel 2
    Quit
  ${Loop}
!macroend

; The free space where $INSTDIR is or will be, in MB, to $R0: of the nearest folder that exists.
Function FreeMegabytes
  StrCpy $0 $INSTDIR
  ${Do}
    ${If} ${FileExists} "$0\*.*"
      ${Break}
    ${EndIf}
    ${GetParent} $0 $1
    ${If} $1 == ""
      ${Break}
    ${EndIf}
    StrCpy $0 $1
  ${Loop}
  System::Call 'kernel32::GetDiskFreeSpaceExW(w "$0\", *l .r2, *l, *l) i .r1'
  StrCpy $R0 0
  ${If} $1 <> 0
    System::Int64Op $2 / 1048576
    Pop $R0
  ${EndIf}
FunctionEnd

Function .onInit
  ${IfNot} ${AtLeastBuild} 17763 ; what DirectML and the newest DXGI need
  ${OrIfNot} ${AtLeastWin10}
  ${OrIfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "$(OLD)" /SD IDOK
    SetErrorLevel 4
    Quit
  ${EndIf}
  ${GetParameters} $R9
  Call ReadOptions
FunctionEnd

Section "$(SECTION_PROGRAM)" ProgramSection
  SectionIn RO
  !insertmacro StopIfRunning "framebrush.exe"
  !insertmacro StopIfRunning "framebrush-gui.exe"
  ; The program of an older version goes first, by its own list of files; settings stay.
  ${If} ${FileExists} "$INSTDIR\uninstall.exe"
    ExecWait '"$INSTDIR\uninstall.exe" /S /UPGRADE _?=$INSTDIR'
  ${EndIf}
  Call FreeMegabytes
  IntOp $R1 ${SIZE_KB} / 1024
  IntOp $R1 $R1 + 8
  ${If} $R0 < $R1
    MessageBox MB_OK|MB_ICONSTOP "$(ROOM)" /SD IDOK
    SetErrorLevel 3
    Quit
  ${EndIf}
  SetOverwrite try
  ClearErrors
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}/*.*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} ${Errors}
    MessageBox MB_OK|MB_ICONSTOP "$(UNWRITTEN)" /SD IDOK
    SetErrorLevel 5
    Quit
  ${EndIf}
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Framebrush"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\framebrush-gui.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Framebrush authors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\framebrush.exe" "" "$INSTDIR\framebrush.exe"
  WriteRegStr HKCU "${CLASSES}\.framebrush" "" "${PROJECT}" ; a double click on a project
  WriteRegStr HKCU "${CLASSES}\${PROJECT}" "" "$(KIND_PROJECT)"
  WriteRegStr HKCU "${CLASSES}\${PROJECT}\DefaultIcon" "" "$INSTDIR\framebrush-gui.exe,0"
  WriteRegStr HKCU "${CLASSES}\${PROJECT}\shell\open\command" "" '"$INSTDIR\framebrush-gui.exe" "%1"'
SectionEnd

Section "$(SECTION_MENU)" MenuSection
  CreateShortCut "$SMPROGRAMS\Framebrush.lnk" "$INSTDIR\framebrush-gui.exe"
SectionEnd

!macro OfferFor ENDING
  WriteRegNone HKCU "${CLASSES}\.${ENDING}\OpenWithProgids" "${PROGID}"
!macroend
!macro OfferNoMoreFor ENDING
  DeleteRegValue HKCU "${CLASSES}\.${ENDING}\OpenWithProgids" "${PROGID}"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.${ENDING}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\.${ENDING}"
!macroend
!macro ForEachEnding DO
  !insertmacro ${DO} mp4
  !insertmacro ${DO} mov
  !insertmacro ${DO} m4v
  !insertmacro ${DO} mkv
  !insertmacro ${DO} webm
  !insertmacro ${DO} avi
  !insertmacro ${DO} ts
  !insertmacro ${DO} m2ts
  !insertmacro ${DO} mts
  !insertmacro ${DO} mpg
  !insertmacro ${DO} mpeg
  !insertmacro ${DO} wmv
  !insertmacro ${DO} flv
  !insertmacro ${DO} ogv
  !insertmacro ${DO} gif
  !insertmacro ${DO} mxf
!macroend

Section "$(SECTION_OPEN)" OpenSection
  WriteRegStr HKCU "${CLASSES}\${PROGID}" "" "Video"
  WriteRegStr HKCU "${CLASSES}\${PROGID}" "FriendlyTypeName" "Video"
  WriteRegStr HKCU "${CLASSES}\${PROGID}\shell\open" "FriendlyAppName" "Framebrush"
  WriteRegStr HKCU "${CLASSES}\${PROGID}\shell\open\command" "" '"$INSTDIR\framebrush-gui.exe" "%1"'
  !insertmacro ForEachEnding OfferFor
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)' ; SHCNE_ASSOCCHANGED
SectionEnd

; Reads the person's own PATH to $0. $1 is "" where it could be read whole, as NSIS holds ${NSIS_MAX_STRLEN} characters.
!macro ReadPath
  StrCpy $1 ""
  ClearErrors
  ReadRegStr $0 HKCU "Environment" "Path"
  ${If} ${Errors}
    StrCpy $0 ""
    System::Call 'advapi32::RegGetValueW(p 0x80000001, w "Environment", w "Path", i 0x1000FFFF, p 0, p 0, *i .r2) i .r3'
    ${If} $3 = 0 ; it is there and yet cannot be held
      StrCpy $1 "long"
    ${EndIf}
  ${EndIf}
  StrLen $2 "$0;$INSTDIR"
  ${If} $2 > 1000
    StrCpy $1 "long"
  ${EndIf}
!macroend
!macro WritePath
  WriteRegExpandStr HKCU "Environment" "Path" "$0"
  System::Call 'user32::SendMessageTimeoutW(p 0xffff, i 0x1A, p 0, w "Environment", i 2, i 2000, *p)' ; WM_SETTINGCHANGE
!macroend

Section /o "$(SECTION_PATH)" PathSection
  !insertmacro ReadPath
  ${If} $1 == ""
    ${WordAdd} "$0" ";" "+$INSTDIR" $0
    !insertmacro WritePath
    WriteRegDWORD HKCU "${UNINSTALL}" "OnPath" 1
  ${Else}
    MessageBox MB_OK|MB_ICONINFORMATION "$(LONGPATH)" /SD IDOK
  ${EndIf}
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
!insertmacro MUI_FUNCTION_DESCRIPTION_END

; What the command line chooses, and what an older version had: $R9 holds the parameters.
!macro Choose OPTION SECTION
  ClearErrors
  ${GetOptions} $R9 "/${OPTION}=" $0
  ${IfNot} ${Errors}
    ${If} $0 = 1
      !insertmacro SelectSection ${SECTION}
    ${Else}
      !insertmacro UnselectSection ${SECTION}
    ${EndIf}
  ${EndIf}
!macroend
Function ReadOptions
  ReadRegDWORD $0 HKCU "${UNINSTALL}" "OnPath"
  ${If} $0 = 1
    !insertmacro SelectSection ${PathSection}
  ${EndIf}
  !insertmacro Choose PATH ${PathSection}
  !insertmacro Choose OPENWITH ${OpenSection}
  !insertmacro Choose STARTMENU ${MenuSection}
FunctionEnd

Section "Uninstall"
  !insertmacro StopIfRunning "framebrush.exe"
  !insertmacro StopIfRunning "framebrush-gui.exe"
  ${GetParameters} $R9
  !include "${FILES}" ; deletes what was installed, file by file: whatever else lies there is the person's
  Delete "$INSTDIR\uninstall.exe"
  SetOutPath "$TEMP"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Framebrush.lnk"
  !insertmacro ForEachEnding OfferNoMoreFor
  DeleteRegKey HKCU "${CLASSES}\${PROGID}"
  DeleteRegKey HKCU "${CLASSES}\${PROJECT}"
  ReadRegStr $0 HKCU "${CLASSES}\.framebrush" ""
  ${If} $0 == "${PROJECT}"
    DeleteRegKey HKCU "${CLASSES}\.framebrush"
  ${EndIf}
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
  ClearErrors
  ${GetOptions} $R9 "/UPGRADE" $0
  ${IfNot} ${Errors}
    Return ; the new version writes the rest anew
  ${EndIf}
  ReadRegDWORD $4 HKCU "${UNINSTALL}" "OnPath"
  ${If} $4 = 1
    !insertmacro ReadPath
    ${If} $1 == ""
      ${un.WordAdd} "$0" ";" "-$INSTDIR" $0
      ${If} $0 == ""
        DeleteRegValue HKCU "Environment" "Path"
      ${Else}
        !insertmacro WritePath
      ${EndIf}
    ${EndIf}
  ${EndIf}
  DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\framebrush.exe"
  ; What the program wrote for itself: settings, lists and caches. Looks, styles, projects and trainings are the person's.
  DeleteRegKey HKCU "Software\Framebrush"
  Delete "$APPDATA\Framebrush\Framebrush\exports*.json"
  Delete "$APPDATA\Framebrush\Framebrush\*.lock"
  Delete "$APPDATA\Framebrush\Framebrush\projects\*.lock"
  RMDir "$APPDATA\Framebrush\Framebrush\projects"
  RMDir "$APPDATA\Framebrush\Framebrush\looks"
  RMDir "$APPDATA\Framebrush\Framebrush\styles"
  RMDir "$APPDATA\Framebrush\Framebrush"
  RMDir "$APPDATA\Framebrush"
  RMDir /r "$LOCALAPPDATA\framebrush\engines"
  RMDir /r "$LOCALAPPDATA\framebrush\kernels"
  RMDir /r "$LOCALAPPDATA\framebrush\numba" ; of versions that compiled the processor's loops there
  RMDir /r "$LOCALAPPDATA\framebrush\recent"
  RMDir /r "$LOCALAPPDATA\framebrush\renders"
  RMDir /r "$LOCALAPPDATA\framebrush\shaders"
  RMDir /r "$LOCALAPPDATA\framebrush\tensorrt"
  RMDir "$LOCALAPPDATA\framebrush"
  DeleteRegKey HKCU "${UNINSTALL}" ; last: whoever waits for the end of all this looks at it
SectionEnd
